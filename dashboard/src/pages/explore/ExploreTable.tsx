import { Badge, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { use } from 'react'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import opening from '../../components/opening-rows.module.css'
import { type ApiSlot, durationLabel, placeLabel, STATUS_LABELS, serviceLabel, serviceModeLabel } from './api-slot.ts'
import classes from './explore.module.css'
import { SlotTime, TIME_HEADERS, TimeViewContext } from './SlotTime.tsx'

/** One page of slots; each row opens a slot. */
export function ExploreTable(props: { slots: readonly ApiSlot[]; onOpen: (slot: ApiSlot) => void }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const all = columns(props.onOpen, TIME_HEADERS[use(TimeViewContext)])
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
const PHONE_COLUMNS = ['start', 'service', 'where', 'status']

function columns(onOpen: (slot: ApiSlot) => void, starts: string): TableColumn<ApiSlot>[] {
  return [
    {
      key: 'start',
      header: starts,
      isRowHeader: true,
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
    { key: 'where', header: 'Where', render: (slot) => <Where slot={slot} /> },
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

/** A slot's status. */
export function StatusBadge({ status }: { status: ApiSlot['status'] }) {
  return (
    <Badge variant="light" color={status === 'free' ? 'teal' : 'gray'} tt="none">
      {STATUS_LABELS[status]}
    </Badge>
  )
}

function Where({ slot }: { slot: ApiSlot }) {
  const licensed = slot.serviceStates?.join(', ')
  const place = placeLabel(slot) || (licensed && `Licensed in ${licensed}`)
  return (
    <Lines
      main={slot.location?.name ?? serviceModeLabel(slot)}
      below={[place, slot.location?.name && serviceModeLabel(slot)].filter(Boolean).join(' · ')}
    />
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
