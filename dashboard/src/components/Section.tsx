import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './components.module.css'

/** A section of a settings page: title and description beside (on a phone, above) a card. */
export function Section(props: {
  title: string
  /** For links to the section. */
  id?: string
  description?: ReactNode
  /** Beside the title: a badge. */
  beside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section id={props.id} aria-labelledby={id} className={classes.section}>
      <div>
        <Group gap="xs">
          <Title order={2} id={id} tabIndex={-1}>
            {props.title}
          </Title>
          {props.beside}
        </Group>
        {props.description && (
          <Text size="sm" c="dimmed" mt={4} component="div">
            {props.description}
          </Text>
        )}
      </div>
      <Card>
        <Stack gap="md">{props.children}</Stack>
      </Card>
    </section>
  )
}
