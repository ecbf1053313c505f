import { Select, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { now } from '../../api/now.ts'
import { formatDateTime } from '../../components/visitor-time.ts'
import { expiryTime, type KeyExpiry, type Lifetime } from './key-expiry.ts'

interface LifetimeChoice {
  readonly value: Lifetime
  readonly label: string
}

const CHOICES: readonly LifetimeChoice[] = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a specific date' },
]
/** For a key that replaces another. */
export const SAME_LIFETIME: LifetimeChoice = { value: 'same', label: 'Same lifetime as the old key' }

/** The expiry of a key or a subscription. `first`: a choice before the others. */
export function ExpiryField(props: {
  of?: 'key' | 'subscription'
  value: KeyExpiry
  onChange: (value: KeyExpiry) => void
  error?: ReactNode
  first?: LifetimeChoice | undefined
}) {
  const { lifetime, date } = props.value
  const choosesDay = lifetime === 'date'
  return (
    <Stack gap="sm">
      <Select
        label="Expires"
        description={expiryNote(props.value, props.of ?? 'key')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={props.first ? [props.first, ...CHOICES] : CHOICES}
        value={lifetime}
        onChange={(value) => value && props.onChange({ lifetime: value, date: '' })}
        allowDeselect={false}
        error={!choosesDay && props.error}
      />
      {choosesDay && (
        <TextInput
          type="date"
          label="Expiration date"
          value={date}
          onChange={(event) => props.onChange({ lifetime, date: event.currentTarget.value })}
          error={props.error}
          data-path="expiresAtMs"
        />
      )}
    </Stack>
  )
}

function expiryNote(expiry: KeyExpiry, what: 'key' | 'subscription'): string | undefined {
  if (expiry.lifetime === 'keep') return undefined
  if (expiry.lifetime === 'date') return `The ${what} is active until the end of that day.`
  const endMs = expiryTime(expiry, now())
  if (endMs === undefined) return 'Counted from now.'
  return endMs === null
    ? `The ${what} is active until you ${what === 'key' ? 'revoke' : 'delete'} it.`
    : `The ${what} is active until ${formatDateTime(new Date(endMs))}.`
}
