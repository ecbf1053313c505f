import { Button, Group, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { IconFilterOff } from '../../components/icons.tsx'
import classes from './audit.module.css'
import { type AuditAddress, isFiltered, showsSignIns, TIMES, type Time } from './audit-filter.ts'
import { AUDIT_KIND_LABELS } from './audit-labels.ts'

const TIME_LABELS: Readonly<Record<Time, string>> = {
  any: 'Any time',
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  days: 'Custom range',
}
const GROUPS = [
  ['key', 'Keys'],
  ['sign-in', 'Sign-ins'],
  ['account', 'Accounts'],
  ['operator', 'Operators'],
  ['setup-link', 'Setup links'],
  ['invitation', 'Invitations'],
  ['member', 'Members'],
  ['organization', 'Organization'],
  ['audit', 'Audit log'],
] as const
const DEBOUNCE_MS = 350

interface Filters {
  readonly address: AuditAddress
  readonly change: (address: AuditAddress) => void
}

/** The filters of the log. Their state is in the URL. */
export function AuditFilters({ address, change, kinds }: Filters & { kinds: readonly AuditView['kind'][] }) {
  const time = TIMES.find((one) => one === address.time) ?? 'any'
  return (
    <div className={classes.filters}>
      <Select
        label="Event"
        placeholder="All events"
        data={groupsOf(kinds)}
        value={address.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined, signIns: undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'All events' }}
      />
      <ActorField actor={address.actor ?? ''} change={change} />
      <Select
        label="Time"
        data={TIMES.map((value) => ({ value, label: TIME_LABELS[value] }))}
        value={time}
        onChange={(value) =>
          change({ time: value === 'any' ? undefined : (value ?? undefined), from: undefined, to: undefined })
        }
        allowDeselect={false}
      />
      {time === 'days' && <DayFields address={address} change={change} />}
      <Switch
        label="Show sign-ins"
        className={classes.signIns}
        checked={showsSignIns(address)}
        disabled={address.kind !== undefined}
        onChange={(event) => change({ signIns: event.currentTarget.checked ? undefined : 'false' })}
      />
      {isFiltered(address) && <Reset address={address} change={change} />}
    </div>
  )
}

/** The event kinds by group, without empty groups. */
function groupsOf(kinds: readonly AuditView['kind'][]) {
  return GROUPS.map(([prefix, group]) => {
    const items = kinds.filter((kind) => kind.startsWith(`${prefix}.`))
    return { group, items: items.map((value) => ({ value, label: AUDIT_KIND_LABELS[value] })) }
  }).filter(({ items }) => items.length > 0)
}

/** Asks once typing pauses, and follows the address when it changes from elsewhere. */
function ActorField({ actor, change }: { actor: string; change: Filters['change'] }) {
  const [typed, setTyped] = useState(actor)
  const ask = useDebouncedCallback((text: string) => change({ actor: text.trim() || undefined }), DEBOUNCE_MS)
  useEffect(() => setTyped((before) => (before.trim() === actor ? before : actor)), [actor])
  return (
    <TextInput
      label="Person"
      placeholder="Part of an email address"
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
        label="From"
        value={address.from ?? ''}
        max={address.to}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To"
        value={address.to ?? ''}
        min={address.from}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
    </>
  )
}

const NO_FILTERS: AuditAddress = {
  kind: undefined,
  actor: undefined,
  subject: undefined,
  signIns: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
}

function Reset({ address, change }: Filters) {
  return (
    <Group align="flex-end">
      <Button variant="subtle" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={() => change(NO_FILTERS)}>
        {address.subject ? 'Show all entries' : 'Clear filters'}
      </Button>
    </Group>
  )
}
