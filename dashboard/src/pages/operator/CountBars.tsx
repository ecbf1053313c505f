import { Title } from '@mantine/core'
import { useId } from 'react'
import type { ServedBreakdown } from '../../../../src/shared/check-report-labels.ts'
import { formatCount } from '../../components/format.ts'
import { stateName } from '../explore/us-states.ts'
import classes from './count-bars.module.css'

/** Numbers of slots with bars, in as many columns as there is room for. Codes of states are written out. */
export function CountBars({ title, counts }: ServedBreakdown) {
  const id = useId()
  const max = Math.max(...counts.map(([, slots]) => slots))
  return (
    <section>
      <Title order={3} id={id} mb={4}>
        {title}
      </Title>
      <dl className={classes.bars} aria-labelledby={id}>
        {counts.map(([name, slots]) => (
          <div key={name}>
            <dt title={stateName(name)}>{stateName(name)}</dt>
            <dd>
              <span>{formatCount(slots)}</span>
              <span className={classes.bar} style={{ inlineSize: `${(100 * slots) / max}%` }} aria-hidden />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
