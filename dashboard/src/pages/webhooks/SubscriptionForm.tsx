import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type {
  NewSubscriptionBody,
  SubscriptionView,
  SubscriptionWithSecret,
} from '../../../../src/shared/contract/subscriptions.ts'
import { ApiError } from '../../api/client.ts'
import { now } from '../../api/now.ts'
import { useSubscriptionMutations } from '../../api/subscription-queries.ts'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { useHoldPage } from '../../components/use-hold-page.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { type ExploreState, FILTERS, refine } from '../explore/explore-state.ts'
import { FilterForm } from '../explore/FilterForm.tsx'
import { ExpiryField } from '../keys/ExpiryField.tsx'
import { expiryError, expiryTime, type KeyExpiry } from '../keys/key-expiry.ts'
import { FilterList } from './FilterList.tsx'
import { filtersOf, intervalLabel, stateOf } from './subscription-labels.ts'

export interface SubscriptionDialogProps {
  readonly opened: boolean
  readonly org: string
  readonly onClose: () => void
}

interface CreateProps {
  readonly org: string
  /** The filters of Explore; by default there is a form for them. */
  readonly filters?: string
  readonly onCreated: (created: SubscriptionWithSecret) => void
  readonly onClose: () => void
}

/** Asks for an address and filters, then creates the subscription. */
export function CreateSubscriptionDialog({ opened, ...props }: { opened: boolean } & CreateProps) {
  return (
    <FormModal opened={opened} onClose={props.onClose} title="Create a subscription" size={760}>
      <CreateForm {...props} />
    </FormModal>
  )
}

/** The form of a new subscription. */
export function CreateForm({ org, filters, onCreated }: Omit<CreateProps, 'onClose'>) {
  const { create } = useSubscriptionMutations(org)
  return (
    <SubscriptionForm
      fixedFilters={filters}
      submitLabel="Create subscription"
      send={async (body) => onCreated(await create(body))}
    />
  )
}

interface EditProps extends SubscriptionDialogProps {
  readonly subscription: SubscriptionView
}

/** Changes the address, filters and options of a subscription. */
export function EditSubscriptionDialog({ opened, onClose, org, subscription }: EditProps) {
  const { edit } = useSubscriptionMutations(org)
  return (
    <FormModal opened={opened} onClose={onClose} title="Edit subscription" size={760}>
      <SubscriptionForm
        current={subscription}
        submitLabel="Save"
        send={async (body) => {
          await edit(subscription.id, changesOf(subscription, body))
          onClose()
          notifySuccess(
            body.url === subscription.url ? 'Saved.' : 'Saved. Nothing is sent until the new address is verified.',
          )
        }}
      />
    </FormModal>
  )
}

/** Only what was changed: another tab or person may have changed the rest since. */
function changesOf(before: SubscriptionView, after: NewSubscriptionBody): Partial<NewSubscriptionBody> {
  const was: Readonly<Record<string, unknown>> = { ...before, description: before.description ?? null }
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  )
}

const INTERVALS = [1, 10, 60, 300, 900, 3600, 86_400]

interface FormProps {
  readonly current?: SubscriptionView
  readonly fixedFilters?: string | undefined
  readonly submitLabel: string
  readonly send: (body: NewSubscriptionBody) => Promise<unknown>
}

function SubscriptionForm({ current, fixedFilters, submitLabel, send }: FormProps) {
  const [filters, setFilters] = useState<ExploreState>(() => stateOf(current?.filters ?? fixedFilters ?? ''))
  const form = useForm({ initialValues: initialOf(current), validate: VALIDATE })
  const submit = useSubmit(form, (values) => send(bodyOf(values, current?.filters, filters)))
  useHoldPage(submit.busy)
  const invalid = filterError(submit.error)
  const { expiresAtMs } = form.values
  return (
    <Stack gap="md">
      {fixedFilters === undefined ? (
        <FilterForm
          state={filters}
          refine={(change) => setFilters((state) => refine(state, change))}
          go={setFilters}
          error={invalid}
        />
      ) : (
        <FilterList filters={fixedFilters} label="Notify me about slots with" />
      )}
      <form {...submit.formProps}>
        <Stack gap="md">
          <ReceiverFields form={form} current={current} />
          <ExpiryField
            of="subscription"
            first={current && { value: 'keep', label: 'Unchanged' }}
            value={expiresAtMs}
            onChange={(value) => form.setFieldValue('expiresAtMs', value)}
            error={form.errors.expiresAtMs}
          />
          <Text size="sm" c="dimmed">
            Filters describe slots, not people. Keep patients' wishes in your own system.
          </Text>
          <FormButtons busy={submit.busy} error={invalid && fixedFilters === undefined ? undefined : submit.error}>
            {submitLabel}
          </FormButtons>
        </Stack>
      </form>
    </Stack>
  )
}

function ReceiverFields({ form, current }: { form: UseFormReturnType<Values>; current: SubscriptionView | undefined }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Your receiver. It gets a POST with JSON, and first must answer a request that verifies the address."
        placeholder="https://example.org/slots"
        type="url"
        maxLength={2000}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description (optional)"
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('description')}
      />
      <Select
        label="At most one request every"
        description="Slots that open in between arrive together in the next one."
        data={intervalsWith(current).map((value) => ({ value: String(value), label: intervalLabel(value) }))}
        allowDeselect={false}
        {...form.getInputProps('minIntervalSeconds')}
      />
      <Checkbox
        label="Also tell me when slots are gone"
        description="Sends slots.closed when slots are booked, withdrawn or no longer match."
        {...form.getInputProps('closed', { type: 'checkbox' })}
      />
    </>
  )
}

interface Values extends Record<string, unknown> {
  readonly url: string
  readonly description: string
  readonly minIntervalSeconds: string
  readonly closed: boolean
  readonly expiresAtMs: KeyExpiry
}

function initialOf(current: SubscriptionView | undefined): Values {
  return {
    url: current?.url ?? '',
    description: current?.description ?? '',
    minIntervalSeconds: String(current?.minIntervalSeconds ?? 60),
    closed: current?.events.includes('slots.closed') ?? false,
    expiresAtMs: { lifetime: current === undefined ? 'never' : 'keep', date: '' },
  }
}

const VALIDATE = {
  url: rules.present('the URL of your receiver'),
  expiresAtMs: (value: KeyExpiry) => expiryError(value),
}

/** Filters that the form did not change are sent as they were: it shows one value of a repeated filter. */
function bodyOf(values: Values, before: string | undefined, filters: ExploreState): NewSubscriptionBody {
  const expiresAtMs = expiryTime(values.expiresAtMs, now())
  const query = filtersOf(filters)
  return {
    url: values.url.trim(),
    filters: before !== undefined && query === filtersOf(stateOf(before)) ? before : query,
    description: values.description.trim() || null,
    events: values.closed ? ['slots.opened', 'slots.closed'] : ['slots.opened'],
    minIntervalSeconds: Number(values.minIntervalSeconds),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  }
}

function intervalsWith(current: SubscriptionView | undefined): number[] {
  return [...new Set([...INTERVALS, current?.minIntervalSeconds ?? 60])].sort((a, b) => a - b)
}

/** The server's error about a filter. */
function filterError(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof ApiError) || !FILTERS.some((name) => name === error.field)) return undefined
  return { field: error.field ?? '', message: error.message }
}
