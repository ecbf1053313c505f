import { Badge, Group, Text } from '@mantine/core'
import { filterWords } from './subscription-labels.ts'

/** The filters of a subscription in words. `label`: a heading above them. */
export function FilterList({ filters, label }: { filters: string; label?: string }) {
  const words = filterWords(filters)
  const list =
    words.length === 0 ? (
      <Text size="sm">All slots</Text>
    ) : (
      <Group component="ul" gap={6} aria-label="Filters" m={0} p={0} style={{ listStyle: 'none' }}>
        {words.map((each) => (
          <li key={each.filter}>
            <Badge variant="default" tt="none" fw={500} maw={320} h="auto" styles={{ label: { whiteSpace: 'normal' } }}>
              {each.label}: <bdi>{each.value}</bdi>
            </Badge>
          </li>
        ))}
      </Group>
    )
  if (label === undefined) return list
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {label}
      </Text>
      {list}
    </div>
  )
}
