import { Button, Group, Text } from '@mantine/core'

/** A page of a list past the last one. */
export function FewerPages({ onFirst }: { onFirst: () => void }) {
  return (
    <Group gap="sm">
      <Text size="sm">There are fewer pages now.</Text>
      <Button size="xs" variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </Group>
  )
}
