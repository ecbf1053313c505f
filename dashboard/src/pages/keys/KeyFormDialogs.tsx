import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { DAY_MS } from '../../../../src/lib/time.ts'
import type { KeyEditBody, KeyView, NewKey, RotationBody } from '../../../../src/shared/contract/keys.ts'
import { call } from '../../api/client.ts'
import { now } from '../../api/now.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { isolated } from '../../components/names.ts'
import { notifySuccess } from '../../components/notify.ts'
import { useDialogText } from '../../components/use-dialog-text.ts'
import { useHoldPage } from '../../components/use-hold-page.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { ExpiryField, SAME_LIFETIME } from './ExpiryField.tsx'
import { expiryError, expiryTime, type KeyExpiry } from './key-expiry.ts'
import { maskedKey } from './key-labels.ts'

export interface KeyDialogProps {
  readonly opened: boolean
  readonly org: string
  readonly onClose: () => void
}

interface CreateProps extends KeyDialogProps {
  readonly suggestedName: string
  readonly onCreated: (created: NewKey) => void
}

/** Asks for a name and an expiry, then creates the key. */
export function CreateKeyDialog(props: CreateProps) {
  return (
    <FormModal opened={props.opened} onClose={props.onClose} title="Create an API key">
      <CreateKeyForm {...props} />
    </FormModal>
  )
}

function CreateKeyForm({ org, suggestedName, onCreated }: CreateProps) {
  const { create } = useKeyMutations(org)
  const form = useForm({
    initialValues: { name: suggestedName, expiresAtMs: { lifetime: 'never', date: '' } as KeyExpiry },
    validate: { name: rules.name('a name for the key'), expiresAtMs: (value) => expiryError(value) },
  })
  const send = async ({ name, expiresAtMs }: typeof form.values) =>
    onCreated(await create({ name: name.trim(), expiresAtMs: expiryTime(expiresAtMs, now()) }))
  return (
    <KeyForm form={form} send={send} submitLabel="Create key">
      <TextInput
        label="Name"
        description="Where you will use it, such as “production web” or “nightly report”."
        onFocus={(event) => event.currentTarget.select()}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </KeyForm>
  )
}

interface RotateProps extends KeyDialogProps {
  readonly keyView: KeyView
  readonly onRotated: (created: NewKey) => void
}

const DEFAULT_OVERLAP_MS = DAY_MS

/** How long the old key stays active after a rotation: the values that the API accepts. */
const OVERLAPS = [
  {
    ms: 0,
    label: 'Revoke now',
    note: 'Requests with the old key fail immediately. Choose this if it leaked.',
  },
  { ms: 3_600_000, label: '1 hour', note: 'For a deployment that you are about to make.' },
  { ms: 86_400_000, label: '24 hours', note: 'For most changes.' },
  { ms: 604_800_000, label: '7 days', note: 'If other people need to update their systems.' },
] as const

function overlapOf(text: string): RotationBody['keepOldForMs'] {
  return OVERLAPS.find(({ ms }) => String(ms) === text)?.ms ?? 0
}

/** Asks how long the old key stays active, then creates its replacement. */
export function RotateKeyDialog(props: RotateProps) {
  return (
    <FormModal opened={props.opened} onClose={props.onClose} title={`Rotate “${isolated(props.keyView.name)}”`}>
      <RotateKeyForm {...props} />
    </FormModal>
  )
}

function RotateKeyForm({ org, keyView, onRotated }: RotateProps) {
  const { rotate } = useKeyMutations(org)
  const hasExpiry = keyView.expiresAtMs !== undefined
  const form = useForm({
    initialValues: {
      keepOldForMs: String(DEFAULT_OVERLAP_MS),
      expiresAtMs: { lifetime: hasExpiry ? 'same' : 'never', date: '' } as KeyExpiry,
    },
    validate: { expiresAtMs: (value) => expiryError(value) },
  })
  const send = async ({ keepOldForMs, expiresAtMs }: typeof form.values) => {
    const expiry = expiryTime(expiresAtMs, now())
    onRotated(await rotate(keyView.id, { keepOldForMs: overlapOf(keepOldForMs), expiresAtMs: expiry }))
  }
  return (
    <KeyForm form={form} send={send} submitLabel="Create new key" first={hasExpiry ? SAME_LIFETIME : undefined}>
      <Text size="sm">
        You get a new key with the same name, note and networks. Replace {maskedKey(keyView)} with it before the old key
        expires.
      </Text>
      <Radio.Group label="Keep the old key active for" {...form.getInputProps('keepOldForMs')}>
        <Stack gap="sm" mt="xs">
          {OVERLAPS.map(({ ms, label, note }) => (
            <Radio key={ms} value={String(ms)} label={label} description={note} />
          ))}
        </Stack>
      </Radio.Group>
    </KeyForm>
  )
}

/** The fields that the dialogs share: expiry, error and buttons. */
export function KeyForm<Values extends { expiresAtMs: KeyExpiry }>(props: {
  form: UseFormReturnType<Values>
  send: (values: Values) => Promise<unknown>
  submitLabel: string
  first?: ComponentProps<typeof ExpiryField>['first']
  children: ReactNode
}) {
  const { form } = props
  const submit = useSubmit(form, props.send)
  useHoldPage(submit.busy)
  return (
    <form {...submit.formProps}>
      <Stack gap="md">
        {props.children}
        <ExpiryField
          first={props.first}
          value={form.values.expiresAtMs}
          onChange={(value) => form.setValues({ ...form.values, expiresAtMs: value })}
          error={form.errors.expiresAtMs}
        />
        <FormButtons busy={submit.busy} error={submit.error}>
          {props.submitLabel}
        </FormButtons>
      </Stack>
    </form>
  )
}

const REASON_LENGTH_MAX = 200

/** Asks for an optional reason, then revokes the key. */
export function RevokeKeyDialog(props: KeyDialogProps & { readonly keyView: KeyView }) {
  const { keyView } = props
  const [reason, setReason] = useDialogText(props.opened)
  const { revoke } = useKeyMutations(props.org)
  const confirm = async () => {
    await revoke(keyView.id, reason.trim())
    notifySuccess(`Revoked “${isolated(keyView.name)}”. Requests with it now return 401.`)
  }
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={props.onClose}
      title={
        <>
          Revoke “<bdi>{keyView.name}</bdi>”?
        </>
      }
      confirmLabel="Revoke key"
      danger
      onConfirm={confirm}
    >
      <Stack gap="md">
        <Text size="sm">
          Every request with {maskedKey(keyView)} will return 401 immediately. This can't be undone. To change keys
          without downtime, rotate the key instead.
        </Text>
        <TextInput
          label="Reason (optional)"
          description="Shown in the audit log and next to the key."
          placeholder="Committed to a public repository"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={REASON_LENGTH_MAX}
          autoComplete="off"
          data-autofocus
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** Changes an organization's keys, then refetches its keys and its audit log. Every function throws `ApiError`. */
export function useKeyMutations(org: string) {
  const client = useQueryClient()
  const refetchAfter = async <T,>(request: Promise<T>): Promise<T> => {
    const result = await request
    void client.invalidateQueries({ queryKey: ['organizations', org, 'keys'] })
    void client.invalidateQueries({ queryKey: ['organizations', org, 'audit'] })
    return result
  }
  return {
    create: (body: { name: string; expiresAtMs: number | null | undefined }) =>
      refetchAfter(call('POST /api/organizations/:org/keys', { params: { org }, body })),
    rotate: (key: string, body: RotationBody) =>
      refetchAfter(call('POST /api/organizations/:org/keys/:key/rotate', { params: { org, key }, body })),
    edit: (key: string, body: KeyEditBody) =>
      refetchAfter(call('PATCH /api/organizations/:org/keys/:key', { params: { org, key }, body })),
    revoke: (key: string, reason: string) =>
      refetchAfter(
        call('POST /api/organizations/:org/keys/:key/revoke', {
          params: { org, key },
          body: reason ? { reason } : {},
        }),
      ),
  }
}
