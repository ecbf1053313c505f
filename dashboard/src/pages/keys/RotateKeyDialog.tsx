import { Modal, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { DAY_MS } from '../../../../src/lib/time.ts'
import type { KeyView, NewKey } from '../../../../src/shared/shapes.ts'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'
import { DialogButtons } from './DialogButtons.tsx'
import { ExpiryField } from './ExpiryField.tsx'
import { OVERLAPS, useKeyChanges } from './key-changes.ts'
import { expiryFault, expiryOf, type KeyExpiry } from './key-expiry.ts'
import { maskedKey } from './key-words.ts'

const DEFAULT_OVERLAP_MS = DAY_MS

interface RotateKey {
  readonly org: string
  readonly keyView: KeyView
  readonly onRotated: (created: NewKey) => void
  readonly onClose: () => void
}

/** Asks for how long the old key is to work on, and makes the one that takes its place. */
export function RotateKeyDialog({ opened, ...form }: { opened: boolean } & RotateKey) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={`Rotate “${form.keyView.name}”`}>
      <RotateKeyForm {...form} />
    </Modal>
  )
}

function RotateKeyForm({ org, keyView, onRotated, onClose }: RotateKey) {
  const { rotate } = useKeyChanges(org)
  const endsOnce = keyView.expiresAtMs !== undefined
  const form = useForm({
    initialValues: {
      keepOldForMs: String(DEFAULT_OVERLAP_MS),
      expiresAtMs: { lifetime: endsOnce ? 'same' : 'never', date: '' } as KeyExpiry,
    },
    validate: { expiresAtMs: (value) => expiryFault(value) },
  })
  const submit = useSubmit(form, async ({ keepOldForMs, expiresAtMs }) => {
    const expiry = expiryOf(expiresAtMs, Date.now())
    onRotated(await rotate(keyView.id, { keepOldForMs: Number(keepOldForMs), expiresAtMs: expiry }))
  })
  return (
    <form {...submit.formProps}>
      <Stack gap="md">
        <Text size="sm">
          You get a new key of the same name. Put it in the place of the old one, {maskedKey(keyView)}, before
          that ends.
        </Text>
        <Radio.Group label="The old key works on for" {...form.getInputProps('keepOldForMs')}>
          <Stack gap="sm" mt="xs">
            {OVERLAPS.map(({ ms, label, note }) => (
              <Radio key={ms} value={String(ms)} label={label} description={note} />
            ))}
          </Stack>
        </Radio.Group>
        <ExpiryField
          withSame={endsOnce}
          value={form.values.expiresAtMs}
          onChange={(value) => form.setFieldValue('expiresAtMs', value)}
          error={form.errors.expiresAtMs}
        />
        <FormError error={submit.error} />
        <DialogButtons submitLabel="Create the new key" busy={submit.busy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
