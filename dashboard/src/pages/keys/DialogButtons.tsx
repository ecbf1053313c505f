import { Button, Group } from '@mantine/core'

/** The end of a dialog's form. */
export function DialogButtons(props: { submitLabel: string; busy: boolean; onCancel: () => void }) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={props.onCancel} disabled={props.busy}>
        Cancel
      </Button>
      <Button type="submit" loading={props.busy}>
        {props.submitLabel}
      </Button>
    </Group>
  )
}
