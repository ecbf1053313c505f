import { Anchor, Badge, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { type Fact, Facts } from '../../components/Facts.tsx'
import { IconExternalLink, IconPhone } from '../../components/icons.tsx'
import { LOCALE } from '../../components/locale.ts'
import { EmptyState } from '../../components/states.tsx'
import { type ApiSlot, codingLabel, durationLabel, PATIENT_LABELS, serviceLabel, serviceModeLabel } from './api-slot.ts'
import { StatusBadge } from './ExploreTable.tsx'
import classes from './explore.module.css'
import type { ExploreState } from './explore-state.ts'
import { matchReasons } from './match-reasons.ts'
import { SlotTime } from './SlotTime.tsx'

/** All details of a slot and its booking link. `slot` is undefined if the current page does not contain it. */
export function SlotDrawer(props: {
  opened: boolean
  slot: ApiSlot | undefined
  /** The filters that it matches. */
  state: ExploreState
  onClose: () => void
}) {
  const { slot, state } = props
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      attributes={{ header: { role: 'none' } }}
      title={<Text fw={600}>{(slot && serviceLabel(slot)) ?? 'Slot'}</Text>}
    >
      {slot ? <SlotDetail slot={slot} state={state} /> : <NotShown onClose={props.onClose} />}
    </Drawer>
  )
}

function NotShown({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      icon={<IconExternalLink aria-hidden />}
      title="This slot is no longer on this page"
      action={<Button onClick={onClose}>Back to the slots</Button>}
    >
      It was booked or withdrawn, or other slots moved it to another page.
    </EmptyState>
  )
}

function SlotDetail({ slot, state }: { slot: ApiSlot; state: ExploreState }) {
  return (
    <Stack gap="lg">
      <div>
        <Text className={classes.when} component="div">
          <SlotTime slot={slot} />
        </Text>
        <Group gap={6} mt={6}>
          <StatusBadge status={slot.status} />
          <Badge variant="default" tt="none">
            {durationLabel(slot)}
          </Badge>
          <Badge variant="default" tt="none">
            {serviceModeLabel(slot)}
          </Badge>
        </Group>
        {matchReasons(slot, state).map(({ sentence }) => (
          <Text key={sentence} size="sm" c="dimmed" mt={6}>
            {sentence}
          </Text>
        ))}
      </div>
      <Booking slot={slot} />
      <Facts title="Service" facts={serviceFacts(slot)} />
      <Facts title="Location" facts={locationFacts(slot)} />
      <Facts title="Provider" facts={providerFacts(slot)} />
      <Facts title="As published" facts={publishedFacts(slot)} />
      <section>
        <Title order={3} mb="xs">
          API response
        </Title>
        <CodeBlock code={JSON.stringify(slot, undefined, 2)} label="JSON of the slot" />
      </section>
    </Stack>
  )
}

function Booking({ slot }: { slot: ApiSlot }) {
  const address = safeHref(slot.bookingDeepLink)
  if (address === undefined && slot.bookingPhone === undefined) {
    return (
      <Text size="sm" c="dimmed">
        The publisher doesn't provide a way to book this slot.
      </Text>
    )
  }
  return (
    <Group gap="xs">
      {address !== undefined && (
        <Button
          component="a"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          Book with the publisher<span className="sr-only"> (opens in a new tab)</span>
        </Button>
      )}
      {slot.bookingPhone !== undefined && (
        <Button
          component="a"
          variant="default"
          href={`tel:${slot.bookingPhone.replace(/[^\d+]/g, '')}`}
          leftSection={<IconPhone size={16} aria-hidden />}
        >
          {slot.bookingPhone}
        </Button>
      )}
    </Group>
  )
}

function serviceFacts(slot: ApiSlot): Fact[] {
  const labels = slot.serviceTypes?.map(codingLabel) ?? []
  return [
    ['Service', slot.serviceTypeText],
    ['Service type code', slot.serviceTypeCode],
    ['All service types', labels.length > 1 ? labels.map((label) => <div key={label}>{label}</div>) : undefined],
    ['Appointment type', slot.appointmentType],
    ['Patients', slot.acceptingPatients && PATIENT_LABELS[slot.acceptingPatients]],
    ['Capacity', slot.capacity?.toLocaleString(LOCALE)],
  ]
}

function locationFacts({ location, serviceStates }: ApiSlot): Fact[] {
  const town = [location?.city, [location?.state, location?.postalCode].filter(Boolean).join(' ')]
  const address = [...(location?.addressLine ?? []), town.filter(Boolean).join(', ')].filter(Boolean)
  const { latitude, longitude } = location ?? {}
  return [
    ['Name', location?.name],
    ['Address', address.length > 0 ? address.map((line) => <div key={line}>{line}</div>) : undefined],
    ['Phone', location?.phone?.join(', ')],
    ['Website', location?.website && <Websites addresses={location.website} />],
    ['Coordinates', latitude === undefined || longitude === undefined ? undefined : `${latitude}, ${longitude}`],
    ['Licensed in', serviceStates?.join(', ')],
  ]
}

function Websites({ addresses }: { addresses: readonly string[] }) {
  return addresses.map((text) => {
    const address = safeHref(text)
    if (address === undefined) return <div key={text}>{text}</div>
    return (
      <div key={text}>
        <Anchor size="sm" href={address} target="_blank" rel="noopener noreferrer">
          {text}
        </Anchor>
      </div>
    )
  })
}

function providerFacts({ provider }: ApiSlot): Fact[] {
  return [
    ['Name', provider?.name],
    ['Specialty', provider?.specialty],
    ['NPI', provider?.npi],
  ]
}

function publishedFacts(slot: ApiSlot): Fact[] {
  return [
    ['Start', slot.start],
    ['End', slot.end],
    ['Publisher', slot.publisher],
    ['Schedule', slot.scheduleId],
    ['Slot', slot.id],
  ]
}

/** A publisher's URL for use as a link. Undefined unless it is http or https, so that it is never a script. */
function safeHref(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
