import { Switch } from '@mantine/core'

/** Shows the numbers of a chart or map as a table. */
export function TableSwitch({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <Switch
      size="sm"
      label="Show as table"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
