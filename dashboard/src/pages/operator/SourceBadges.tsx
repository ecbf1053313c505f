import { Badge, Group } from '@mantine/core'
import type { SourceView, SyncView } from '../../../../src/shared/contract/sources.ts'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
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
import { FLAG_LABELS, type Flag, HEALTH_LABELS, OUTCOME_LABELS } from './source-labels.ts'

const BADGE_STYLES: Readonly<Record<Flag, readonly [color: string, Icon: Icon]>> = {
  failing: ['red', IconAlertTriangle],
  suspicious: ['red', IconFileAlert],
  late: ['orange', IconClockExclamation],
  empty: ['red', IconMoodEmpty],
  stale: ['orange', IconClockExclamation],
  rejecting: ['orange', IconFileAlert],
  'never-synced': ['gray', IconHourglass],
}

/** The flags of a source as badges with icons. */
export function SourceBadges({ source }: { source: SourceView }) {
  const isFine = source.flags.length === 0 && !source.paused
  return (
    <Group gap={6} data-severity={severity(source)}>
      {source.flags.map((flag) => (
        <IconBadge key={flag} color={BADGE_STYLES[flag][0]} Icon={BADGE_STYLES[flag][1]} label={FLAG_LABELS[flag]} />
      ))}
      {source.paused && <IconBadge color="gray" Icon={IconPlayerPause} label="Paused" />}
      {isFine && <IconBadge color="teal" Icon={IconCheck} label="Healthy" />}
    </Group>
  )
}

/** The health of a source. */
export function HealthBadge({ health }: { health: SourceHealth }) {
  if (health === 'healthy') return <IconBadge color="teal" Icon={IconCheck} label={HEALTH_LABELS.healthy} />
  if (health === 'paused') return <IconBadge color="gray" Icon={IconPlayerPause} label={HEALTH_LABELS.paused} />
  return <IconBadge color={BADGE_STYLES[health][0]} Icon={BADGE_STYLES[health][1]} label={HEALTH_LABELS[health]} />
}

/** The outcome of a sync. */
export function OutcomeBadge({ outcome }: { outcome: SyncView['outcome'] }) {
  const [color, Icon] = {
    ok: ['teal', IconCheck] as const,
    partial: ['orange', IconFileAlert] as const,
    held: ['orange', IconFileAlert] as const,
    failed: ['red', IconAlertTriangle] as const,
  }[outcome]
  return <IconBadge color={color} Icon={Icon} label={OUTCOME_LABELS[outcome]} />
}

function IconBadge({ color, Icon, label }: { color: string; Icon: Icon; label: string }) {
  return (
    <Badge variant="light" color={color} tt="none" title={label} leftSection={<Icon size={13} aria-hidden />}>
      {label}
    </Badge>
  )
}

function severity({ flags }: SourceView): 'high' | 'low' | undefined {
  if (flags.some((flag) => BADGE_STYLES[flag][0] === 'red')) return 'high'
  return flags.some((flag) => BADGE_STYLES[flag][0] === 'orange') ? 'low' : undefined
}
