import { Button, Group, Stack } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { exploreSlotsQuery } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import { IconCalendarOff, IconPlugConnected } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatDateTime } from '../../components/visitor-time.ts'
import { PATIENT_LABELS, type SlotPage, STATUS_LABELS } from './api-slot.ts'
import { activeFilters, type ExploreState, type Filter, refine, slotParameters } from './explore-state.ts'
import { RADIUS_KM_DEFAULT } from './filter-labels.ts'
import { stateName } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** Offered where nothing is near. */
const WIDER_KM = '200'

/** No results: which filters to remove, and how many slots each would show. */
export function NoMatch({ state, refine: change, go }: Explore) {
  const filters = activeFilters(state)
  const relaxed = useQueries({
    queries: filters.map((filter) => exploreSlotsQuery(slotParameters(without(state, filter)))),
  })
  const canWiden = state.near !== undefined && Number(state.radiusKm ?? RADIUS_KM_DEFAULT) < Number(WIDER_KM)
  const wider = useQuery({
    ...exploreSlotsQuery(slotParameters({ ...refine(state, { radiusKm: WIDER_KM }), limit: '1' })),
    enabled: canWiden,
  })
  if (filters.length === 0) return <NothingYet />
  const { limit, times } = state
  return (
    <EmptyState
      icon={<IconCalendarOff aria-hidden />}
      title="No slots match these filters"
      action={
        <Stack gap="xs" align="center">
          <Group gap="xs" justify="center">
            {canWiden && (
              <Button variant="default" size="xs" onClick={() => change({ radiusKm: WIDER_KM })}>
                Within {WIDER_KM} km
                {countSuffix(wider.data)}
              </Button>
            )}
            {filters.map((filter, n) => (
              <Button key={filter} variant="default" size="xs" onClick={() => change({ [filter]: undefined })}>
                {REMOVE_LABELS[filter]((filter === 'near' && state.place) || (state[filter] ?? ''))}
                {countSuffix(relaxed[n]?.data)}
              </Button>
            ))}
          </Group>
          {filters.length > 1 && (
            <Button variant="subtle" size="xs" onClick={() => go({ ...(limit && { limit }), ...(times && { times }) })}>
              Clear all filters
            </Button>
          )}
        </Stack>
      }
    >
      {canWiden ? 'Try one of these:' : filters.length === 1 ? 'Try removing it:' : 'Try removing one:'}
    </EmptyState>
  )
}

function NothingYet() {
  const { operatorRole } = useMe()
  return (
    <EmptyState
      icon={<IconPlugConnected aria-hidden />}
      title="No open slots yet"
      action={operatorRole && <ButtonLink to="/app/operator/sources">Go to sources</ButtonLink>}
    >
      {operatorRole
        ? 'Add a source, or check why the existing sources have no slots.'
        : 'The service has not received any open slots from its publishers yet. Check back later.'}
    </EmptyState>
  )
}

/** The requested page is past the last slot. */
export function PastTheEnd({ total, onFirst }: { total: number; onFirst: () => void }) {
  return (
    <EmptyState
      icon={<IconCalendarOff aria-hidden />}
      title="This page is empty"
      action={<Button onClick={onFirst}>Go to the first page</Button>}
    >
      {total === 1 ? 'One slot matches.' : `${formatCount(total)} slots match.`} The requested page is past the last
      one.
    </EmptyState>
  )
}

const REMOVE_LABELS: Readonly<Record<Filter, (value: string) => string>> = {
  state: (value) => `Any state, not only ${stateName(value.toUpperCase())}`,
  isVirtual: (value) => (value === 'true' ? 'Include in person' : 'Include virtual'),
  city: (value) => `Any city, not only ${value}`,
  startAfter: (value) => `Include slots before ${localTime(value)}`,
  startBefore: (value) => `Include slots after ${localTime(value)}`,
  status: (value) => `Free instead of ${STATUS_LABELS[value as keyof typeof STATUS_LABELS]?.toLowerCase() ?? value}`,
  serviceTypeCode: (value) => `Any service, not only ${value}`,
  appointmentType: (value) => `Any type, not only ${value}`,
  acceptingPatients: (value) => `Any patients, not only ${PATIENT_LABELS[value]?.toLowerCase() ?? value}`,
  minDurationMinutes: (value) => `Include slots under ${formatNumberOf(Number(value), 'minute')}`,
  postalCode: (value) => `Any postal code, not only ${value}…`,
  near: (value) => `Anywhere, not only near ${value}`,
  radiusKm: (value) => `At any distance, not only ${value} km`,
  specialty: (value) => `Any specialty, not only ${value}`,
  providerNpi: (value) => `Any provider, not only ${value}`,
  language: (value) => `Any language, not only ${value}`,
  identifier: (value) => `Any identifier, not only ${value}`,
  publisher: (value) => `Any publisher, not only ${value}`,
  scheduleId: (value) => `Any schedule, not only ${value}`,
  actorKey: () => 'Any provider and location, not only this',
}

function without(state: ExploreState, filter: Filter): ExploreState {
  return { ...refine(state, { [filter]: undefined }), limit: '1' }
}

function countSuffix(page: SlotPage | undefined): string {
  return page === undefined ? '' : ` (${formatCount(page.total)})`
}

function localTime(instant: string): string {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? instant : formatDateTime(new Date(ms))
}
