import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { IconFilterOff } from '../../components/icons.tsx'
import classes from './audit.module.css'
import { type AuditAddress, isFiltered, TIMES, type Time } from './audit-filter.ts'
import { AUDIT_KIND_OPTIONS, KIND_NAMES } from './audit-labels.ts'

const TIME_NAMES: Readonly<Record<Time, string>> = {
  any: 'Any time',
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  days: 'Between two days',
}
const GROUPS = [
  ['key', 'Keys'],
  ['sign-in', 'Sign-ins'],
  ['invitation', 'Invitations'],
  ['member', 'Members'],
  ['organization', 'Organization'],
] as const
const TYPING_MS = 350

interface Filters {
  readonly address: AuditAddress
  readonly change: (address: AuditAddress) => void
}

/** What of the log is shown. Everything stands in the address. */
export function AuditFilters({ address, change }: Filters) {
  const time = TIMES.find((one) => one === address.time) ?? 'any'
  return (
    <div className={classes.filters}>
      <Select
        label="What"
        placeholder="Everything"
        data={GROUPS.map(([prefix, group]) => ({
          group,
          items: AUDIT_KIND_OPTIONS.filter((kind) => kind.startsWith(`${prefix}.`)).map((value) => ({
            value,
            label: KIND_NAMES[value],
          })),
        }))}
        value={address.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Show everything' }}
      />
      <ActorField actor={address.actor ?? ''} change={change} />
      <Select
        label="When"
        data={TIMES.map((value) => ({ value, label: TIME_NAMES[value] }))}
        value={time}
        onChange={(value) =>
          change({ time: value === 'any' ? undefined : (value ?? undefined), from: undefined, to: undefined })
        }
        allowDeselect={false}
      />
      {time === 'days' && <DayFields address={address} change={change} />}
      {isFiltered(address) && <Reset address={address} change={change} />}
    </div>
  )
}

/** Asks once typing pauses, and follows the address when it changes from elsewhere. */
function ActorField({ actor, change }: { actor: string; change: Filters['change'] }) {
  const [typed, setTyped] = useState(actor)
  const ask = useDebouncedCallback((text: string) => change({ actor: text.trim() || undefined }), TYPING_MS)
  useEffect(() => setTyped((before) => (before.trim() === actor ? before : actor)), [actor])
  return (
    <TextInput
      label="Who"
      placeholder="Part of an e-mail address"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        ask(event.currentTarget.value)
      }}
      autoComplete="off"
    />
  )
}

function DayFields({ address, change }: Filters) {
  return (
    <>
      <TextInput
        type="date"
        label="First day"
        value={address.from ?? ''}
        max={address.to}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="Last day"
        value={address.to ?? ''}
        min={address.from}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
    </>
  )
}

const NOTHING: AuditAddress = {
  kind: undefined,
  actor: undefined,
  subject: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
}

function Reset({ address, change }: Filters) {
  return (
    <Group align="flex-end">
      <Button
        variant="subtle"
        leftSection={<IconFilterOff size={16} aria-hidden />}
        onClick={() => change(NOTHING)}
      >
        {address.subject ? 'Show more than this one' : 'Remove the filters'}
      </Button>
    </Group>
  )
}
