import { Text } from '@mantine/core'

/** A placeholder for a missing value of a table, such as "Never". */
export function Faint({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  )
}
