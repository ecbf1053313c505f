import { Card, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A section of a page in a card, with its title at the top. */
export function CardSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} id={id} mb="md">
        {title}
      </Title>
      {children}
    </Card>
  )
}
