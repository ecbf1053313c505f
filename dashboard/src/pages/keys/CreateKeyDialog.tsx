import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewKey } from '../../../../src/shared/shapes.ts'
import { rules } from '../../parts/rules.ts'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'
import { DialogButtons } from './DialogButtons.tsx'
import { ExpiryField } from './ExpiryField.tsx'
import { useKeyChanges } from './key-changes.ts'
import { expiryFault, expiryOf, type KeyExpiry } from './key-expiry.ts'

interface CreateKey {
  readonly org: string
  /** What the name field holds at first. */
  readonly suggestedName: string
  readonly onCreated: (created: NewKey) => void
  readonly onClose: () => void
}

/** Asks for a name and an end, and makes the key. */
export function CreateKeyDialog({ opened, ...form }: { opened: boolean } & CreateKey) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Create an API key">
      <CreateKeyForm {...form} />
    </Modal>
  )
}

function CreateKeyForm({ org, suggestedName, onCreated, onClose }: CreateKey) {
  const { create } = useKeyChanges(org)
  const form = useForm({
    initialValues: { name: suggestedName, expiresAtMs: { lifetime: 'never', date: '' } as KeyExpiry },
    validate: { name: rules.name('a name for the key'), expiresAtMs: (value) => expiryFault(value) },
  })
  const submit = useSubmit(form, async ({ name, expiresAtMs }) =>
    onCreated(await create({ name: name.trim(), expiresAtMs: expiryOf(expiresAtMs, Date.now()) })),
  )
  return (
    <form {...submit.formProps}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Where it will be used, so that you know it again: “production web”, “nightly report”."
          onFocus={(event) => event.currentTarget.select()}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ExpiryField
          value={form.values.expiresAtMs}
          onChange={(value) => form.setFieldValue('expiresAtMs', value)}
          error={form.errors.expiresAtMs}
        />
        <FormError error={submit.error} />
        <DialogButtons submitLabel="Create key" busy={submit.busy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
