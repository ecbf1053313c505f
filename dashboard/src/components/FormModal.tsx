import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsTop } from './use-is-top.ts'
import { FormDialogContext } from './use-submit.ts'

interface FormModalProps
  extends Pick<ModalProps, 'title' | 'size' | 'closeOnEscape' | 'closeOnClickOutside' | 'withCloseButton' | 'zIndex'> {
  opened: boolean
  onClose: () => void
  /** The form. */
  children: ReactNode
}

/**
 * A dialog with a form: once something is entered, it asks before it closes without saving. While the form is being sent, it stays open:
 * a link or secret in the answer may be shown only once.
 */
export function FormModal({ opened, onClose, children, ...props }: FormModalProps) {
  const [isChanged, setChanged] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const isTop = useIsTop(opened)
  useEffect(() => {
    if (opened) return
    setChanged(false)
    setAsking(false)
  }, [opened])
  // Not at once: the event that closes this dialog, Escape, would also reach the question and close it.
  const cancel = () => {
    if (isSending) return
    if (isChanged) setTimeout(() => setAsking(true))
    else onClose()
  }
  return (
    <>
      <Modal opened={opened} onClose={() => isTop() && cancel()} {...props} attributes={{ header: { role: 'none' } }}>
        {/* Changes of all fields inside. Choosing an option of a list is a click, not a change. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it only listens; keys click options, too */}
        <div
          onChange={() => setChanged(true)}
          onClick={({ target }) => target instanceof Element && target.closest('[role=option]') && setChanged(true)}
        >
          <FormDialogContext value={{ cancel, setSending }}>{children}</FormDialogContext>
        </div>
      </Modal>
      {/* After the other dialog, which then decides where the focus returns if both close at once. */}
      <Question opened={isAsking} onKeep={() => setAsking(false)} onDiscard={onClose} zIndex={props.zIndex} />
    </>
  )
}

interface QuestionProps extends Pick<ModalProps, 'opened' | 'zIndex'> {
  onKeep: () => void
  onDiscard: () => void
}

function Question({ opened, onKeep, onDiscard, zIndex }: QuestionProps) {
  useIsTop(opened)
  return (
    <Modal opened={opened} onClose={onKeep} title="Discard changes?" {...(zIndex !== undefined && { zIndex })}>
      <Stack gap="md">
        <Text size="sm">Your changes have not been saved.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onKeep}>
            Keep editing
          </Button>
          <Button color="red" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
