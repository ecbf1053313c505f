import { Select, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../components/format.ts'
import { expiryTime, type KeyExpiry, type Lifetime } from './key-expiry.ts'

const CHOICES: readonly { value: Lifetime; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'After a day of my choice' },
]
const SAME = { value: 'same', label: 'After the same time as the old key' } as const

/** When a new key is to end. `withSame` offers the lifetime of the key that it replaces. */
export function ExpiryField(props: {
  value: KeyExpiry
  onChange: (value: KeyExpiry) => void
  error?: ReactNode
  withSame?: boolean
}) {
  const { lifetime, date } = props.value
  const choosesDay = lifetime === 'date'
  return (
    <Stack gap="sm">
      <Select
        label="Expires"
        description={sentenceFor(props.value)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={props.withSame ? [SAME, ...CHOICES] : CHOICES}
        value={lifetime}
        onChange={(value) => value && props.onChange({ lifetime: value, date: '' })}
        allowDeselect={false}
        error={!choosesDay && props.error}
      />
      {choosesDay && (
        <TextInput
          type="date"
          label="Last day"
          value={date}
          onChange={(event) => props.onChange({ lifetime, date: event.currentTarget.value })}
          error={props.error}
          data-path="expiresAtMs"
        />
      )}
    </Stack>
  )
}

function sentenceFor(expiry: KeyExpiry): string {
  if (expiry.lifetime === 'date') return 'It works until that day is over.'
  const endMs = expiryTime(expiry, Date.now())
  if (endMs === undefined) return 'Counted from now.'
  return endMs === null
    ? 'It works until somebody revokes it.'
    : `It works until ${formatDateTime(new Date(endMs))}.`
}
