import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { FormError } from './states.tsx'

/**
 * Asks before something is done that cannot be taken back. With `typedName`, that name must be typed first. `onConfirm` does it; while it
 * runs the button turns, if it throws the reason is shown and the dialog stays, else `onClose` is called.
 */
export function ConfirmDialog(props: {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen. Fields of a form may stand here too. */
  children: ReactNode
  confirmLabel: string
  /** What leaves everything as it is: "Cancel" if it has no better name. */
  cancelLabel?: string
  onConfirm: () => Promise<unknown>
  danger?: boolean
  typedName?: string
  /** Keeps the button off, beside `typedName`. */
  disabled?: boolean
}) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (props.opened) {
      setTyped('')
      setError(undefined)
    }
  }, [props.opened])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await props.onConfirm()
      props.onClose()
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  const ready = !props.disabled && (props.typedName === undefined || typed === props.typedName)
  return (
    <Modal opened={props.opened} onClose={busy ? () => undefined : props.onClose} title={props.title}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {props.children}
          </Text>
          {props.typedName !== undefined && (
            <TextInput
              label={
                <>
                  Type <Code>{props.typedName}</Code> to confirm
                </>
              }
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <FormError error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose} disabled={busy}>
              {props.cancelLabel ?? 'Cancel'}
            </Button>
            <Button type="submit" loading={busy} disabled={!ready} {...(props.danger && { color: 'red' })}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
