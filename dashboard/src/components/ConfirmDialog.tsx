import { Code, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { refetchOutdated } from '../api/refused-change.ts'
import { CopyButton } from './CopyButton.tsx'
import { FormButtons } from './FormButtons.tsx'
import { FormModal } from './FormModal.tsx'
import { useDialogText } from './use-dialog-text.ts'

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** The consequences of the action. May contain form fields. */
  children: ReactNode
  confirmLabel: string
  /** "Cancel" by default. */
  cancelLabel?: string
  onConfirm: () => Promise<unknown>
  danger?: boolean
  typedName?: string
  /** Accepted in place of `typedName`: a name may be hard to type. */
  typedId?: string
  /** Disables the button, in addition to `typedName`. */
  disabled?: boolean
}

/**
 * Asks for confirmation before an action. With `typedName`, the visitor must type that name first, or `typedId`. While `onConfirm` runs, the
 * button shows a loader; if it throws, the dialog shows the error and stays open, otherwise it calls `onClose`.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { typed, setTyped, busy, error, submit } = useConfirmation(props)
  const ready =
    !props.disabled && (props.typedName === undefined || [props.typedName, props.typedId].includes(typed.trim()))
  return (
    <FormModal
      opened={props.opened}
      onClose={busy ? () => undefined : props.onClose}
      title={props.title}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {props.children}
          </Text>
          {props.typedName !== undefined && (
            <TextInput
              label={
                <>
                  Type{' '}
                  <bdi>
                    <Code>{props.typedName}</Code>
                  </bdi>
                  {props.typedId !== undefined && (
                    <>
                      {' '}
                      or <Code>{props.typedId}</Code>
                    </>
                  )}{' '}
                  to confirm
                </>
              }
              value={typed}
              rightSection={<CopyButton value={props.typedName} label="Copy the text to type" />}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <FormButtons
            busy={busy}
            error={error}
            cancelLabel={props.cancelLabel}
            disabled={!ready}
            {...(props.danger && { color: 'red' })}
          >
            {props.confirmLabel}
          </FormButtons>
        </Stack>
      </form>
    </FormModal>
  )
}

function useConfirmation({ opened, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useDialogText(opened)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once it has closed, because its row, and with it the error, may vanish
  useEffect(() => {
    if (opened) setError(undefined)
    else refetchOutdated(queryClient, error)
  }, [opened])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }
  return { typed, setTyped, busy, error, submit }
}
