import { Badge, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { use } from 'react'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import opening from '../../components/opening-rows.module.css'
import { type ApiSlot, durationLabel, placeLabel, STATUS_LABELS, serviceLabel, serviceModeLabel } from './api-slot.ts'
import classes from './explore.module.css'
import type { ExploreState } from './explore-state.ts'
import { distanceKm, distanceLabel, matchReasons } from './match-reasons.ts'
import { SlotTime, TIME_HEADERS, TimeViewContext } from './SlotTime.tsx'
import type { Explore } from './use-explore.ts'

/** One page of slots; each row opens a slot and says why it matches. */
export function ExploreTable(props: Explore & { slots: readonly ApiSlot[]; onOpen: (slot: ApiSlot) => void }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const all = columns(props, TIME_HEADERS[use(TimeViewContext)])
  return (
    <div className={opening.rows}>
      <DataTable
        caption="Slots"
        dense
        columns={isNarrow ? all.filter(({ key }) => PHONE_COLUMNS.includes(key)) : all}
        rows={props.slots}
        rowKey={(slot) => slot.id}
      />
    </div>
  )
}

/** The columns of the cards on phones; the slot drawer shows the rest. */
const PHONE_COLUMNS = ['start', 'service', 'where', 'distance', 'status']

function columns(
  { state, refine, onOpen }: Parameters<typeof ExploreTable>[0],
  starts: string,
): TableColumn<ApiSlot>[] {
  const isNear = state.near !== undefined
  const isByDistance = isNear && state.sort === 'distance'
  return [
    {
      key: 'start',
      header: starts,
      isRowHeader: true,
      isSorted: !isByDistance,
      // Without a point there is one order.
      onSort: isNear ? () => refine({ sort: undefined }) : undefined,
      render: (slot) => (
        <UnstyledButton
          fz="sm"
          className={`${opening.open} ${classes.open}`}
          onClick={() => onOpen(slot)}
          aria-haspopup="dialog"
        >
          <SlotTime slot={slot} />
        </UnstyledButton>
      ),
    },
    {
      key: 'length',
      header: 'Length',
      align: 'end',
      render: (slot) => <span className={classes.clip}>{durationLabel(slot)}</span>,
    },
    {
      key: 'service',
      header: 'Service',
      render: (slot) => <Lines main={serviceLabel(slot)} below={slot.appointmentType} />,
    },
    { key: 'where', header: 'Where', render: (slot) => <Where slot={slot} state={state} /> },
    ...(isNear ? [distanceColumn(state, isByDistance, () => refine({ sort: 'distance' }))] : []),
    {
      key: 'provider',
      header: 'Provider',
      render: ({ provider }) => (
        <Lines main={provider?.name ?? provider?.specialty} below={provider?.name && provider.specialty} />
      ),
    },
    {
      key: 'publisher',
      header: 'Publisher',
      render: (slot) => <span className={classes.clip}>{slot.publisher}</span>,
    },
    { key: 'status', header: 'Status', render: (slot) => <StatusBadge status={slot.status} /> },
  ]
}

function distanceColumn(state: ExploreState, isSorted: boolean, onSort: () => void): TableColumn<ApiSlot> {
  return {
    key: 'distance',
    header: 'Distance',
    align: 'end',
    isSorted,
    onSort,
    render: (slot) => {
      const km = distanceKm(slot, state)
      return km !== undefined && <span className={classes.clip}>{distanceLabel(km)}</span>
    },
  }
}

/** A slot's status. */
export function StatusBadge({ status }: { status: ApiSlot['status'] }) {
  return (
    <Badge variant="light" color={status === 'free' ? 'teal' : 'gray'} tt="none">
      {STATUS_LABELS[status]}
    </Badge>
  )
}

function Where({ slot, state }: { slot: ApiSlot; state: ExploreState }) {
  const licensed = slot.serviceStates?.join(', ')
  const reasons = matchReasons(slot, state)
  const place = placeLabel(slot) || (licensed && `Licensed in ${licensed}`)
  // The reason says it all for a service without a place.
  const isExplained = placeLabel(slot) === '' && reasons.some(({ text }) => /licensed in$/i.test(text))
  const below = [place, slot.location?.name && serviceModeLabel(slot)].filter(Boolean).join(' · ')
  return (
    <>
      <Lines main={slot.location?.name ?? serviceModeLabel(slot)} below={isExplained ? undefined : below} />
      {reasons.map(({ text, match }) => (
        <Text key={text} size="xs" c="dimmed" className={classes.clip} title={`${text} ${match}`}>
          {text} <b className={classes.match}>{match}</b>
        </Text>
      ))}
    </>
  )
}

/** A main line with details below. The publisher may provide neither. */
function Lines({ main, below }: { main: string | undefined; below: string | undefined }) {
  if (!main && !below) {
    return (
      <Text size="sm" c="dimmed">
        Not provided
      </Text>
    )
  }
  return (
    <div>
      <span className={classes.clip} title={main}>
        {main}
      </span>
      {below && (
        <Text size="xs" c="dimmed" className={classes.clip} title={below}>
          {below}
        </Text>
      )}
    </div>
  )
}
