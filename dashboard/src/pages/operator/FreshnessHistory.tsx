import { Group, SegmentedControl, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { PastSyncView } from '../../../../src/shared/contract/sources.ts'
import { Legend, type LegendEntry } from '../../components/chart/Legend.tsx'
import { ColorSample } from '../usage/TexturePattern.tsx'
import { FreshnessChart } from './FreshnessChart.tsx'
import { freshnessPoints, freshnessSummary } from './freshness.ts'
import classes from './operator.module.css'

const SPANS = [50, 100, 300] as const
const HEIGHT = 360

/** Slots after each sync, and the changes of each sync. The table of syncs has the same numbers. */
export function FreshnessHistory({ history }: { history: readonly PastSyncView[] }) {
  const [span, setSpan] = useState<number>(100)
  const points = useMemo(() => freshnessPoints(history, span), [history, span])
  if (points.length < 2) {
    return (
      <Text size="sm" c="dimmed">
        Appears after the second sync.
      </Text>
    )
  }
  return (
    <div className={classes.palette}>
      <Group justify="space-between" mb="md">
        <Legend entries={LEGEND} />
        {history.length > SPANS[0] && (
          <SegmentedControl
            size="xs"
            aria-label="Number of syncs"
            value={String(span)}
            onChange={(value) => setSpan(Number(value))}
            data={SPANS.map((count) => ({ value: String(count), label: `Last ${count}` }))}
          />
        )}
      </Group>
      <FreshnessChart points={points} label={freshnessSummary(points)} height={HEIGHT} />
    </div>
  )
}

const LEGEND: readonly LegendEntry[] = [
  { mark: <Line />, label: 'Slots after the sync' },
  { mark: <ColorSample color="var(--mark-slots)" texture="solid" />, label: 'Added (not by the first sync)' },
  { mark: <ColorSample color="var(--mark-changed)" texture="stripes" />, label: 'Changed' },
  { mark: <ColorSample color="var(--mark-removed)" texture="solid" />, label: 'Removed (below zero)' },
  { mark: <Cross />, label: 'Failed' },
]

function Line() {
  return (
    <svg width={16} height={12} aria-hidden focusable="false">
      <path d="M0 9H8V3H16" fill="none" stroke="var(--mark-slots)" strokeWidth={2} />
    </svg>
  )
}

function Cross() {
  return (
    <svg width={12} height={12} aria-hidden focusable="false">
      <path d="M2 2L10 10M10 2L2 10" stroke="var(--mark-failed)" strokeWidth={2} />
    </svg>
  )
}
