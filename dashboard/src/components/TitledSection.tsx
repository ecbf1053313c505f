import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A section of a page below its title. */
export function TitledSection(props: {
  title: string
  /** Opposite the title, such as a link. */
  beside?: ReactNode
  description?: ReactNode
  /** Instead of the children, if there is nothing to show. */
  empty?: string | false
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb={props.description ? 4 : 'sm'}>
        <Title order={2} id={id}>
          {props.title}
        </Title>
        {props.beside}
      </Group>
      {props.description && (
        <Text size="sm" c="dimmed" mb="sm" component="div">
          {props.description}
        </Text>
      )}
      {props.empty ? (
        <Text size="sm" c="dimmed">
          {props.empty}
        </Text>
      ) : (
        props.children
      )}
    </section>
  )
}
