import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ListPageProps {
  /** No rows, although the list has some. */
  readonly isPastLast: boolean
  readonly onFirst: () => void
  readonly children: ReactNode
}

/** The rows of a page of a list with its page links, or the way back from a page past the last one. */
export function ListPage({ isPastLast, onFirst, children }: ListPageProps) {
  if (!isPastLast) return children
  return (
    <Group gap="sm">
      <Text size="sm">There are fewer pages now.</Text>
      <Button size="xs" variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </Group>
  )
}
