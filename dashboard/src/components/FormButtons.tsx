import { Button, type ButtonProps, Group } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { FormError } from './states.tsx'
import { FormDialogContext } from './use-submit.ts'

interface FormButtonsProps extends Pick<ButtonProps, 'color' | 'disabled'> {
  readonly busy: boolean
  readonly error: unknown
  /** "Cancel" by default. */
  readonly cancelLabel?: string | undefined
  /** Another button, before the one that submits. */
  readonly beside?: ReactNode
  /** The label of the button that submits. */
  readonly children: ReactNode
}

/** Below the fields of a form in a dialog: why it was rejected, a button that cancels it, and the one that submits it. */
export function FormButtons({ busy, error, cancelLabel = 'Cancel', beside, ...submit }: FormButtonsProps) {
  const { cancel } = use(FormDialogContext)
  return (
    <>
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={cancel} disabled={busy}>
          {cancelLabel}
        </Button>
        {beside}
        <Button type="submit" loading={busy} {...submit} />
      </Group>
    </>
  )
}
