import { Combobox, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '../../components/format.ts'
import classes from './explore.module.css'

/** An option with its number of slots, if that is known. */
export function CountedOption(props: { value: string; count: number | undefined; children: ReactNode }) {
  const { value, count, children } = props
  return (
    <Combobox.Option value={value} className={classes.counted}>
      <div>{children}</div>
      {count !== undefined && (
        <Text size="xs" c="dimmed">
          {formatCount(count)}
          <span className="sr-only">{count === 1 ? ' slot' : ' slots'}</span>
        </Text>
      )}
    </Combobox.Option>
  )
}
