import { Button, Group, Select, TextInput } from '@mantine/core'
import { DebouncedInput } from '../../components/DebouncedInput.tsx'
import { IconFilterOff } from '../../components/icons.tsx'
import { KeySelect } from '../keys/KeySelect.tsx'
import { isLogFiltered, LOG_METHODS, LOG_TIMES, type LogAddress, NO_LOG_FILTERS } from './log-state.ts'
import classes from './logs.module.css'

interface Filters {
  readonly org: string
  readonly address: LogAddress
  readonly change: (address: LogAddress) => void
}

const STATUSES = [
  { group: 'Class', items: ['2xx', '3xx', '4xx', '5xx'] },
  { group: 'Status', items: ['200', '304', '400', '403', '404', '405', '406', '414', '429', '500', '503'] },
]
const TIME_LABELS = {
  any: 'All that is kept',
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  days: 'Custom range',
}

/** The filters of the request log. Their state is in the URL. */
export function LogFilters({ org, address, change }: Filters) {
  const { key, status, method, time = 'any' } = address
  return (
    <div className={classes.filters}>
      <KeySelect label="API key" org={org} value={key} onChange={(key) => change({ key })} />
      <Select
        label="Status"
        placeholder="Any status"
        data={withValue(STATUSES, status)}
        value={status ?? null}
        onChange={(status) => change({ status: status ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
      />
      <Select
        label="Method"
        placeholder="Any method"
        data={method === undefined || LOG_METHODS.includes(method) ? LOG_METHODS : [...LOG_METHODS, method]}
        value={method ?? null}
        onChange={(method) => change({ method: method ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any method' }}
      />
      <Typed label="Path or query" placeholder="state=MA" name="path" address={address} change={change} />
      <Typed label="Network address" placeholder="203.0.113.7" name="address" address={address} change={change} />
      <Typed label="Request ID" placeholder="X-Request-Id" name="request" address={address} change={change} />
      <Select
        label="Time"
        data={LOG_TIMES.map((value) => ({ value, label: TIME_LABELS[value] }))}
        value={LOG_TIMES.find((one) => one === time) ?? 'any'}
        onChange={(value) =>
          change({ time: value === 'any' ? undefined : (value ?? undefined), from: undefined, to: undefined })
        }
        allowDeselect={false}
      />
      {time === 'days' && <Days address={address} change={change} />}
      {isLogFiltered(address) && (
        <Group align="flex-end">
          <Button
            variant="subtle"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => change(NO_LOG_FILTERS)}
          >
            Clear filters
          </Button>
        </Group>
      )}
    </div>
  )
}

/** A text field of the URL's parameter `name`. */
function Typed(props: {
  label: string
  placeholder: string
  name: 'path' | 'address' | 'request'
  address: LogAddress
  change: Filters['change']
}) {
  return (
    <DebouncedInput
      label={props.label}
      placeholder={props.placeholder}
      value={props.address[props.name] ?? ''}
      onSettle={(text) => props.change({ [props.name]: text || undefined })}
    />
  )
}

function Days({ address, change }: Pick<Filters, 'address' | 'change'>) {
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={address[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  )
  return (
    <>
      {field('from', 'From')}
      {field('to', 'To')}
    </>
  )
}

/** With a value of the URL that is not among the choices. */
function withValue(groups: readonly { group: string; items: string[] }[], value: string | undefined) {
  const isKnown = value === undefined || groups.some(({ items }) => items.includes(value))
  return isKnown ? [...groups] : [...groups, { group: 'Other', items: [value] }]
}
