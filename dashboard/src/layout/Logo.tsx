import { Group, Text } from '@mantine/core'
import { service } from '../api/service.ts'

/** The logo and the name of the service. */
export function Logo(props: { nameVisibleFrom?: 'xs' | 'sm' }) {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" width={26} height={26} alt="" />
      <Text
        component="span"
        fw={650}
        truncate
        maw="22ch"
        dir="auto"
        title={service.name}
        {...(props.nameVisibleFrom && { visibleFrom: props.nameVisibleFrom })}
      >
        {service.name}
      </Text>
    </Group>
  )
}
