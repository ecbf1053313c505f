import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SnapshotComparisonView } from '../../../../src/shared/contract/held-snapshot.ts'
import { formatCount } from '../../components/format.ts'
import { countRegions } from '../../components/state-tiles.ts'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'

type Summary = SnapshotComparisonView['served']

/** The served and the held snapshot side by side, and the next slots that an approval would remove. */
export function HeldComparison({ comparison }: { comparison: SnapshotComparisonView }) {
  const { served, held, lost } = comparison
  return (
    <>
      <table className={classes.comparison}>
        <caption className="sr-only">Served and held snapshot</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Served now</th>
            <th scope="col">Held</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{of(served)}</td>
              <td>{of(held)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lost.length > 0 && <LostSlots lost={lost} missing={missingStates(comparison)} />}
    </>
  )
}

const ROWS: readonly { readonly name: string; readonly of: (summary: Summary) => ReactNode }[] = [
  { name: 'Slots', of: ({ slots }) => formatCount(slots) },
  { name: 'First start', of: ({ firstStartMs }) => <Start atMs={firstStartMs} /> },
  { name: 'Last start', of: ({ lastStartMs }) => <Start atMs={lastStartMs} /> },
  { name: 'States', of: ({ states }) => <span title={states.join(', ')}>{countRegions(states) || 'None'}</span> },
]

function Start({ atMs }: { atMs: number | undefined }) {
  return atMs === undefined ? 'None' : <Timestamp at={atMs} as="date" />
}

function LostSlots({ lost, missing }: { lost: SnapshotComparisonView['lost']; missing: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        Next slots that would be removed
      </Text>
      <ul className={classes.lost}>
        {lost.map(({ startMs, location, city, state, serviceType }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed sample, in which slots may be equal
          <li key={n}>
            <Timestamp at={startMs} />
            {[serviceType, location, [city, state].filter(Boolean).join(', ')].filter(Boolean).map((text) => (
              <span key={text}>
                {' · '}
                <bdi>{text}</bdi>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {missing.length > 0 && <Text size="sm">No slots would be left in {missing.join(', ')}.</Text>}
    </div>
  )
}

function missingStates({ served, held }: SnapshotComparisonView): readonly string[] {
  return served.states.filter((state) => !held.states.includes(state))
}
