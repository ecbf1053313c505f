import { Button, Group, Stack } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { exploreSlotsQuery } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { IconCalendarOff, IconPlugConnected } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { EmptyState } from '../../components/states.tsx'
import { PATIENT_LABELS, type SlotPage, STATUS_LABELS } from './api-slot.ts'
import { activeFilters, type ExploreState, type Filter, refine, slotParameters } from './explore-state.ts'
import { localInput } from './local-time.ts'
import { stateName } from './us-states.ts'
import type { Explore } from './use-explore.ts'

/** Nothing matches: which filter to let go, and how many slots that brings. */
export function NoMatch({ state, refine: change, go }: Explore) {
  const filters = activeFilters(state)
  const loosened = useQueries({
    queries: filters.map((filter) => exploreSlotsQuery<SlotPage>(slotParameters(without(state, filter)))),
  })
  if (filters.length === 0) return <NothingYet />
  const { limit } = state
  return (
    <EmptyState
      icon={<IconCalendarOff aria-hidden />}
      title="No slot matches all of this"
      action={
        <Stack gap="xs" align="center">
          <Group gap="xs" justify="center">
            {filters.map((filter, n) => (
              <Button
                key={filter}
                variant="default"
                size="xs"
                onClick={() => change({ [filter]: undefined })}
              >
                {WITHOUT[filter](state[filter] ?? '')}
                {countWords(loosened[n]?.data)}
              </Button>
            ))}
          </Group>
          {filters.length > 1 && (
            <Button variant="subtle" size="xs" onClick={() => go(limit === undefined ? {} : { limit })}>
              Clear all filters
            </Button>
          )}
        </Stack>
      }
    >
      {filters.length === 1 ? 'Try without the filter:' : 'Let go of one of the filters:'}
    </EmptyState>
  )
}

function NothingYet() {
  const { isOperator } = useMe()
  return (
    <EmptyState
      icon={<IconPlugConnected aria-hidden />}
      title="No open slots yet"
      action={isOperator && <ButtonLink to="/app/operator/sources">Go to the sources</ButtonLink>}
    >
      {isOperator
        ? 'Add a source, or see why those that are there have brought none.'
        : 'The service has not read any open slot from its publishers so far. Please come back later.'}
    </EmptyState>
  )
}

/** The page asked for lies behind the last slot. */
export function PastTheEnd({ total, onFirst }: { total: number; onFirst: () => void }) {
  return (
    <EmptyState
      icon={<IconCalendarOff aria-hidden />}
      title="There is nothing on this page"
      action={<Button onClick={onFirst}>Go to the first page</Button>}
    >
      {total === 1 ? 'One slot matches.' : `${total.toLocaleString()} slots match.`} The page asked for lies
      behind the last of them.
    </EmptyState>
  )
}

const WITHOUT: Readonly<Record<Filter, (value: string) => string>> = {
  state: (value) => `Any state, not only ${stateName(value.toUpperCase())}`,
  isVirtual: (value) => (value === 'true' ? 'In person too' : 'Virtual too'),
  city: (value) => `Any city, not only ${value}`,
  startAfter: (value) => `Earlier than ${localWords(value)} too`,
  startBefore: (value) => `Later than ${localWords(value)} too`,
  status: (value) =>
    `Free instead of ${STATUS_LABELS[value as keyof typeof STATUS_LABELS]?.toLowerCase() ?? value}`,
  serviceTypeCode: (value) => `Any service, not only ${value}`,
  appointmentType: (value) => `Any type, not only ${value}`,
  acceptingPatients: (value) => `Not only open to: ${PATIENT_LABELS[value]?.toLowerCase() ?? value}`,
  minDurationMinutes: (value) => `Shorter than ${value} minutes too`,
  postalCode: (value) => `Any postal code, not only ${value}…`,
  near: (value) => `Anywhere, not only near ${value}`,
  radiusKm: (value) => `At any distance, not only ${value} km`,
  specialty: (value) => `Any specialty, not only ${value}`,
  providerNpi: (value) => `Any provider, not only ${value}`,
  publisher: (value) => `Any publisher, not only ${value}`,
  scheduleId: (value) => `Any schedule, not only ${value}`,
  actorKey: () => 'Any provider and location, not only this',
}

function without(state: ExploreState, filter: Filter): ExploreState {
  const { [filter]: _, ...rest } = refine(state, {})
  return { ...rest, limit: '1' }
}

function countWords(page: SlotPage | undefined): string {
  return page === undefined ? '' : ` (${page.total.toLocaleString()})`
}

function localWords(instant: string): string {
  return localInput(instant).replace('T', ' ')
}
