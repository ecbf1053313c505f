import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Facts.module.css'

export type Fact = readonly [term: string, value: ReactNode]

/**
 * A list of the facts that have a value, below `title`; renders nothing if there are none. Terms may repeat. `inColumns` puts each
 * value below its term and the facts side by side.
 */
export function Facts({ title, facts, inColumns }: { title?: string; facts: readonly Fact[]; inColumns?: boolean }) {
  const provided = facts.filter(([, value]) => value !== undefined && value !== '')
  if (provided.length === 0) return null
  return (
    <section>
      {title && (
        <Title order={3} mb="xs">
          {title}
        </Title>
      )}
      <dl className={classes.facts} data-columns={inColumns}>
        {provided.map(([term, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one thing never change their order
          <div key={`${at} ${term}`}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
