import { Alert, Button, CloseButton, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { SourceReasonView, SourcesSummary } from '../../../../src/shared/contract/source-lists.ts'
import type { SourceFilter, SourceOrder } from '../../../../src/shared/source-vocabulary.ts'
import { formatCount } from '../../components/format.ts'
import { IconAlertTriangle } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import classes from './operator.module.css'
import { countSources, FLAG_LABELS } from './source-labels.ts'
import { FILTER_LABELS, ORDER_LABELS, type SourceListState } from './source-list-state.ts'

/** Reasons that are shown at first. */
const REASONS_SHOWN = 3

/** How many sources need attention, and their reasons: equal ones together, the most frequent first. */
export function Attention({ count, reasons }: { count: number; reasons: readonly SourceReasonView[] }) {
  const [isOpen, setIsOpen] = useState(false)
  if (count === 0) return null
  const shown = isOpen ? reasons : reasons.slice(0, REASONS_SHOWN)
  return (
    <Alert color="orange" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {count === 1 ? '1 source needs attention.' : `${formatCount(count)} sources need attention.`}
      <ul className={classes.reasons} aria-label="Reasons">
        {shown.map((reason) => (
          <Reason key={reason.reason} {...reason} />
        ))}
      </ul>
      {reasons.length > REASONS_SHOWN && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Fewer reasons' : `All ${reasons.length} reasons`}
        </Button>
      )}
    </Alert>
  )
}

function Reason({ flag, reason, sources }: SourceReasonView) {
  const label = reasonLabel(reason)
  return (
    <li>
      <PageLink to="/app/operator/sources" search={{ reason }} size="sm" underline="always" c="inherit" title={label}>
        {label === FLAG_LABELS[flag] ? label : `${FLAG_LABELS[flag]}: ${label}`}
      </PageLink>
      <Text span size="sm" className={classes.nowrap}>
        {countSources(sources)}
      </Text>
    </li>
  )
}

/** A reason that is only a flag has its label. */
function reasonLabel(reason: string): string {
  const labels: Readonly<Record<string, string>> = FLAG_LABELS
  return Object.hasOwn(labels, reason) ? labels[reason] : reason
}

/** The conditions and the order of the list. */
export function SourceFilters(props: {
  summary: SourcesSummary
  state: SourceListState
  onChange: (change: Partial<SourceListState>) => void
}) {
  const { summary, state, onChange } = props
  const counts: Readonly<Partial<Record<SourceFilter, number>>> = { attention: summary.attention, ...summary.byHealth }
  const filters = (Object.keys(FILTER_LABELS) as SourceFilter[])
    // The current filter stays selectable although no source matches it any more.
    .filter((filter) => filter === state.health || (counts[filter] ?? 0) > 0)
    .map((filter) => ({ value: filter, label: `${FILTER_LABELS[filter]} (${formatCount(counts[filter] ?? 0)})` }))
  return (
    <Group gap="sm">
      <SearchField
        label="Search by name or URL"
        isMain
        wanted={state.search}
        onSettle={(search) => onChange({ search })}
      />
      <NativeSelect
        aria-label="Health"
        w={{ base: '100%', xs: 'auto' }}
        value={state.health}
        onChange={({ currentTarget }) => onChange({ health: currentTarget.value as SourceFilter | '' })}
        data={[{ value: '', label: `All sources (${formatCount(summary.sources)})` }, ...filters]}
      />
      <NativeSelect
        aria-label="Sort by"
        w={{ base: '100%', xs: 'auto' }}
        value={state.order}
        onChange={({ currentTarget }) => onChange({ order: currentTarget.value as SourceOrder })}
        data={Object.entries(ORDER_LABELS).map(([value, label]) => ({ value, label }))}
      />
      {state.reason !== '' && (
        <Group gap={4} wrap="nowrap" miw={0}>
          <Text size="sm" truncate="end" title={reasonLabel(state.reason)}>
            Reason: {reasonLabel(state.reason)}
          </Text>
          <CloseButton size="sm" aria-label="Show all reasons" onClick={() => onChange({ reason: '' })} />
        </Group>
      )}
    </Group>
  )
}
