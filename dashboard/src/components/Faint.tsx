import { Text } from '@mantine/core'

/** What a table shows in place of a value, such as "Never". */
export function Faint({ children }: { children: string }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  )
}
