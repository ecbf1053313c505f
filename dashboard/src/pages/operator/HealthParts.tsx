import { Badge, Card, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { HealthView } from '../../../../src/shared/contract/operator.ts'
import type { SourcesSummary } from '../../../../src/shared/contract/source-lists.ts'
import type { SourceFilter } from '../../../../src/shared/source-vocabulary.ts'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import { IconAlertTriangle, IconCheck } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { HEALTH_LEVELS, type HealthLevel, partLevels, sourceCounts, worstLevel } from './health-parts.ts'
import classes from './operator.module.css'
import { FILTER_LABELS } from './source-list-state.ts'

interface Parts {
  readonly health: HealthView
  readonly sources: SourcesSummary
}

/** The health of the whole service: that of its worst part. */
export function ServiceBadge(parts: Parts) {
  const level = worstLevel(partLevels(parts.health, parts.sources))
  return level === 'failing' ? <LevelBadge level={level} label="Needs attention" /> : <LevelBadge level={level} />
}

/** The parts of the service, the worst first. */
export function HealthParts({ health, sources }: Parts) {
  const levels = partLevels(health, sources)
  const parts = [
    { name: 'Sources', level: levels.sources, text: <SourceCounts sources={sources} /> },
    { name: 'Requests', level: levels.requests, text: requestsText(health) },
    { name: 'Database', level: levels.database, text: health.store.ok ? 'Available.' : 'Unavailable.' },
    { name: 'Memory', level: levels.memory, text: memoryText(health) },
  ].toSorted((a, b) => HEALTH_LEVELS.indexOf(a.level) - HEALTH_LEVELS.indexOf(b.level))
  return (
    <Card component="section" aria-labelledby="parts">
      <Title order={2} id="parts" mb="sm">
        Parts
      </Title>
      <dl className={classes.parts}>
        {parts.map(({ name, level, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <LevelBadge level={level} />
              <Text size="sm" component="span">
                {text}
              </Text>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const LEVEL_LABELS: Readonly<Record<HealthLevel, readonly [label: string, color: string]>> = {
  failing: ['Failing', 'red'],
  starting: ['Starting', 'orange'],
  attention: ['Needs attention', 'orange'],
  healthy: ['Healthy', 'teal'],
}

function LevelBadge({ level, label }: { level: HealthLevel; label?: string }) {
  const [levelLabel, color] = LEVEL_LABELS[level]
  const Icon = level === 'healthy' ? IconCheck : IconAlertTriangle
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={13} aria-hidden />}>
      {label ?? levelLabel}
    </Badge>
  )
}

/** "200 failing, 1 healthy", each with a link to the sources. */
function SourceCounts({ sources }: { sources: SourcesSummary }) {
  if (sources.sources === 0) return 'No sources yet.'
  return sourceCounts(sources).map(([filter, count], n) => (
    <Fragment key={filter}>
      {n > 0 && ', '}
      <CountLink filter={filter}>
        {formatCount(count)}{' '}
        {filter === 'attention'
          ? count === 1
            ? 'needs attention'
            : 'need attention'
          : FILTER_LABELS[filter].toLowerCase()}
      </CountLink>
    </Fragment>
  ))
}

function CountLink({ filter, children }: { filter: SourceFilter; children: ReactNode }) {
  return (
    <PageLink to="/app/operator/sources" search={{ health: filter }} underline="always" c="inherit">
      {children}
    </PageLink>
  )
}

function requestsText({ ready }: HealthView): string {
  return ready ? 'Requests are answered.' : 'Slots are being loaded into memory. Until then, requests return 503.'
}

function memoryText({ ready, memory }: HealthView): string {
  if (memory.missingSlots === 0) return ready ? 'All slots are served.' : 'No slots were left out.'
  return `Memory is full: ${formatNumberOf(memory.missingSlots, 'slot')} left out.`
}
