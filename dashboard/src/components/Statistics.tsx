import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './components.module.css'

/** A number with its name. An undefined value shows a skeleton. */
export interface Statistic {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
}

/** Statistics side by side. */
export function Statistics({ items }: { items: readonly Statistic[] }) {
  return (
    <dl className={classes.statistics} aria-busy={items.some(({ value }) => value === undefined) || undefined}>
      {items.map(({ name, value, note }) => (
        <div key={name} className={classes.statistic}>
          <dt>{name}</dt>
          <dd className={classes.statisticValue}>{value ?? <Skeleton height={20} width={80} my={5} />}</dd>
          <dd className={classes.statisticNote}>{note}</dd>
        </div>
      ))}
    </dl>
  )
}
