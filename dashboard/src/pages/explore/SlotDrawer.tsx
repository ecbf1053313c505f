import { Anchor, Badge, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { IconExternalLink, IconPhone } from '../../components/icons.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { type ApiSlot, durationLabel, PATIENT_LABELS, serviceLabel, serviceModeLabel } from './api-slot.ts'
import { StatusBadge } from './ExploreTable.tsx'
import classes from './explore.module.css'

/** All that a slot says, and where it is booked. `slot` is undefined if it is not among those that are shown. */
export function SlotDrawer(props: { opened: boolean; slot: ApiSlot | undefined; onClose: () => void }) {
  const { slot } = props
  return (
    <Drawer
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      attributes={{ header: { role: 'none' } }}
      title={<Text fw={600}>{(slot && serviceLabel(slot)) ?? 'Slot'}</Text>}
    >
      {slot ? <SlotDetail slot={slot} /> : <NotShown onClose={props.onClose} />}
    </Drawer>
  )
}

function NotShown({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      icon={<IconExternalLink aria-hidden />}
      title="This slot is not on this page any more"
      action={<Button onClick={onClose}>Back to the slots</Button>}
    >
      It was booked or withdrawn, or other slots came before it.
    </EmptyState>
  )
}

function SlotDetail({ slot }: { slot: ApiSlot }) {
  return (
    <Stack gap="lg">
      <div>
        <Text className={classes.when} component="div">
          <Timestamp at={slot.start} source={slot.start} />
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
      </div>
      <Booking slot={slot} />
      <Facts title="Service" facts={serviceFacts(slot)} />
      <Facts title="Place" facts={placeFacts(slot)} />
      <Facts title="Provider" facts={providerFacts(slot)} />
      <Facts title="As published" facts={publishedFacts(slot)} />
      <section>
        <Title order={3} mb="xs">
          As the API answers
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
        The publisher does not say how this slot is booked.
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
          Book at the publisher<span className="sr-only"> (opens in a new tab)</span>
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

type Fact = readonly [term: string, words: ReactNode]

/** What the source does not say is not listed; nor is a heading over nothing. */
function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  const said = facts.filter(([, words]) => words !== undefined && words !== '')
  if (said.length === 0) return null
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <dl className={classes.facts}>
        {said.map(([term, words]) => (
          <FactRow key={term} term={term} words={words} />
        ))}
      </dl>
    </section>
  )
}

function FactRow({ term, words }: { term: string; words: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{words}</dd>
    </>
  )
}

function serviceFacts(slot: ApiSlot): Fact[] {
  return [
    ['Service', slot.serviceTypeText],
    ['Service type code', slot.serviceTypeCode],
    ['Appointment type', slot.appointmentType],
    ['For', slot.acceptingPatients && PATIENT_LABELS[slot.acceptingPatients]],
    ['Places', slot.capacity?.toLocaleString()],
  ]
}

function placeFacts({ location, serviceStates }: ApiSlot): Fact[] {
  const town = [location?.city, [location?.state, location?.postalCode].filter(Boolean).join(' ')]
  const address = [...(location?.addressLine ?? []), town.filter(Boolean).join(', ')].filter(Boolean)
  const { latitude, longitude } = location ?? {}
  return [
    ['Name', location?.name],
    ['Address', address.length > 0 ? address.map((line) => <div key={line}>{line}</div>) : undefined],
    ['Phone', location?.phone?.join(', ')],
    ['Website', location?.website && <Websites addresses={location.website} />],
    ['Position', latitude === undefined || longitude === undefined ? undefined : `${latitude}, ${longitude}`],
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

/** The address as a link may have it: what a publisher says is never a script. Undefined if it is no http or https address. */
function safeHref(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
