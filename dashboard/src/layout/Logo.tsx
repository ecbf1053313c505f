import { Group, Text } from '@mantine/core'

/** The logo and the product's name. */
export function Logo(props: { nameVisibleFrom?: 'xs' | 'sm' }) {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" width={26} height={26} alt="" />
      <Text
        component="span"
        fw={650}
        style={{ whiteSpace: 'nowrap' }}
        {...(props.nameVisibleFrom && { visibleFrom: props.nameVisibleFrom })}
      >
        Scheduling Slots
      </Text>
    </Group>
  )
}
