import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Facts.module.css'

export type Fact = readonly [term: string, value: ReactNode]

/** A list of the facts that have a value, below `title`; renders nothing if there are none. Terms may repeat. */
export function Facts({ title, facts }: { title?: string; facts: readonly Fact[] }) {
  const provided = facts.filter(([, value]) => value !== undefined && value !== '')
  if (provided.length === 0) return null
  return (
    <section>
      {title && (
        <Title order={3} mb="xs">
          {title}
        </Title>
      )}
      <dl className={classes.facts}>
        {provided.map(([term, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one thing never change their order
          <FactRow key={`${at} ${term}`} term={term} value={value} />
        ))}
      </dl>
    </section>
  )
}

function FactRow({ term, value }: { term: string; value: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  )
}
