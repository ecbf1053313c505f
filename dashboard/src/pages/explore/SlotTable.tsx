import { Badge, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { When } from '../../parts/When.tsx'
import classes from './explore.module.css'
import {
  attendanceText,
  durationText,
  placeText,
  type ServedSlot,
  STATUS_WORDS,
  serviceText,
} from './served-slot.ts'

/** One page of slots; each row opens its slot. */
export function SlotTable(props: { slots: readonly ServedSlot[]; onOpen: (slot: ServedSlot) => void }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const all = columns(props.onOpen)
  return (
    <div className={classes.rows}>
      <DataTable
        caption="Slots"
        dense
        columns={isNarrow ? all.filter(({ key }) => ON_PHONES.includes(key)) : all}
        rows={props.slots}
        rowKey={(slot) => slot.id}
      />
    </div>
  )
}

/** A card of all would fill half a phone; the rest stands in the slot's own view. */
const ON_PHONES = ['start', 'service', 'where', 'status']

function columns(onOpen: (slot: ServedSlot) => void): Column<ServedSlot>[] {
  return [
    {
      key: 'start',
      header: 'Starts',
      isRowHeader: true,
      render: (slot) => (
        <UnstyledButton fz="sm" className={classes.open} onClick={() => onOpen(slot)} aria-haspopup="dialog">
          <When at={slot.start} source={slot.start} />
          <Text size="xs" c="dimmed" fw={400}>
            {weekday(slot.start)}
          </Text>
        </UnstyledButton>
      ),
    },
    {
      key: 'length',
      header: 'Length',
      align: 'end',
      render: (slot) => <span className={classes.clip}>{durationText(slot)}</span>,
    },
    {
      key: 'service',
      header: 'Service',
      render: (slot) => <Lines main={serviceText(slot)} below={slot.appointmentType} />,
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

function weekday(instant: string): string {
  return new Date(instant).toLocaleDateString(undefined, { weekday: 'long' })
}

/** A slot's status, in words and in a colour. */
export function StatusBadge({ status }: { status: ServedSlot['status'] }) {
  return (
    <Badge variant="light" color={status === 'free' ? 'teal' : 'gray'} tt="none">
      {STATUS_WORDS[status]}
    </Badge>
  )
}

function Where({ slot }: { slot: ServedSlot }) {
  const licensed = slot.serviceStates?.join(', ')
  const place = placeText(slot) || (licensed && `Licensed in ${licensed}`)
  return (
    <Lines
      main={slot.location?.name ?? attendanceText(slot)}
      below={[place, slot.location?.name && attendanceText(slot)].filter(Boolean).join(' · ')}
    />
  )
}

/** What matters, and beneath it what says more. The publisher may be silent on both. */
function Lines({ main, below }: { main: string | undefined; below: string | undefined }) {
  if (!main && !below) {
    return (
      <Text size="sm" c="dimmed">
        Not said
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
