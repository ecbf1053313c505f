import { Badge, Group } from '@mantine/core'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
import type { SyncOutcome } from '../../../../src/store/contracts/source-store.ts'
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconClockExclamation,
  IconFileAlert,
  IconHourglass,
  IconMoodEmpty,
  IconPlayerPause,
} from '../../components/icons.tsx'
import { FLAG_NAMES, type Flag, HEALTH_NAMES, OUTCOME_NAMES } from './source-labels.ts'

const LOOKS: Readonly<Record<Flag, readonly [color: string, Icon: Icon]>> = {
  failing: ['red', IconAlertTriangle],
  suspicious: ['red', IconFileAlert],
  late: ['orange', IconClockExclamation],
  empty: ['red', IconMoodEmpty],
  stale: ['orange', IconClockExclamation],
  rejecting: ['orange', IconFileAlert],
  'never-synced': ['gray', IconHourglass],
}

/** What stands out about a source, each in words, with a mark and a colour. */
export function SourceBadges({ source }: { source: SourceView }) {
  const isFine = source.flags.length === 0 && !source.paused
  return (
    <Group gap={6} data-gravity={gravity(source)}>
      {source.flags.map((flag) => (
        <Mark key={flag} color={LOOKS[flag][0]} Icon={LOOKS[flag][1]} label={FLAG_NAMES[flag]} />
      ))}
      {source.paused && <Mark color="gray" Icon={IconPlayerPause} label="Paused" />}
      {isFine && <Mark color="teal" Icon={IconCheck} label="Healthy" />}
    </Group>
  )
}

/** How a source did at a time. */
export function HealthBadge({ health }: { health: SourceHealth }) {
  if (health === 'healthy') return <Mark color="teal" Icon={IconCheck} label={HEALTH_NAMES.healthy} />
  if (health === 'paused') return <Mark color="gray" Icon={IconPlayerPause} label={HEALTH_NAMES.paused} />
  return <Mark color={LOOKS[health][0]} Icon={LOOKS[health][1]} label={HEALTH_NAMES[health]} />
}

/** How a sync ended. */
export function OutcomeBadge({ outcome }: { outcome: SyncOutcome['outcome'] }) {
  const [color, Icon] = {
    ok: ['teal', IconCheck] as const,
    partial: ['orange', IconFileAlert] as const,
    held: ['orange', IconFileAlert] as const,
    failed: ['red', IconAlertTriangle] as const,
  }[outcome]
  return <Mark color={color} Icon={Icon} label={OUTCOME_NAMES[outcome]} />
}

function Mark({ color, Icon, label }: { color: string; Icon: Icon; label: string }) {
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={13} aria-hidden />}>
      {label}
    </Badge>
  )
}

function gravity({ flags }: SourceView): 'grave' | 'slight' | undefined {
  if (flags.some((flag) => LOOKS[flag][0] === 'red')) return 'grave'
  return flags.some((flag) => LOOKS[flag][0] === 'orange') ? 'slight' : undefined
}
