import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './operator.module.css'

/** A number that matters, and a word on it. Without a value it holds its place. */
export interface Figure {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
}

/** Figures side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, note }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd className={classes.value}>{value ?? <Skeleton height={20} width={80} my={5} />}</dd>
          <dd className={classes.note}>{note}</dd>
        </div>
      ))}
    </dl>
  )
}
