import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { formatCount } from '../usage/figures.ts'
import { HEALTH_NAMES, type Narrowing, narrowings } from './source-words.ts'

/** Narrows the list of sources to a health, which then stands in the address. */
export function HealthFilter({ sources, value }: { sources: readonly SourceView[]; value: Narrowing | '' }) {
  const navigate = useNavigate()
  const there = narrowings(sources)
  // What was chosen stays chosen, although none is so any more.
  const gone = there.every(({ to }) => to !== value) && value !== '' ? [{ to: value, count: 0 }] : []
  return (
    <NativeSelect
      aria-label="Health"
      w={{ base: '100%', xs: 240 }}
      value={value}
      onChange={({ currentTarget: { value: health } }) =>
        navigate({ to: '/app/operator/sources', search: health ? { health } : {}, replace: true })
      }
      data={[
        { value: '', label: `All sources (${formatCount(sources.length)})` },
        ...[...there, ...gone].map(({ to, count }) => ({
          value: to,
          label: `${nameOf(to)} (${formatCount(count)})`,
        })),
      ]}
    />
  )
}

function nameOf(to: Narrowing): string {
  return to === 'attention' ? 'Needs a look' : HEALTH_NAMES[to]
}
