import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { now } from '../../api/now.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { isolated } from '../../components/names.ts'
import { notifySuccess } from '../../components/notify.ts'
import { rules } from '../../components/validation.ts'
import { formatDateTime } from '../../components/visitor-time.ts'
import { type KeyDialogProps, KeyForm, useKeyMutations } from './KeyFormDialogs.tsx'
import { expiryError, expiryTime, type KeyExpiry } from './key-expiry.ts'

const NOTE_LENGTH_MAX = 300

interface EditProps extends KeyDialogProps {
  readonly keyView: KeyView
}

/** Changes the name, note, expiry and allowed networks of an active key. */
export function EditKeyDialog(props: EditProps) {
  return (
    <FormModal opened={props.opened} onClose={props.onClose} title={`Edit “${isolated(props.keyView.name)}”`}>
      <EditKeyForm {...props} />
    </FormModal>
  )
}

function EditKeyForm({ org, keyView, onClose }: EditProps) {
  const { edit } = useKeyMutations(org)
  const form = useForm({
    initialValues: {
      name: keyView.name,
      note: keyView.note ?? '',
      expiresAtMs: { lifetime: 'keep', date: '' } as KeyExpiry,
      networks: (keyView.networks ?? []).join('\n'),
    },
    validate: { name: rules.name('a name for the key'), expiresAtMs: (value) => expiryError(value) },
  })
  const send = async ({ name, note, expiresAtMs, networks }: typeof form.values) => {
    const expiry = expiryTime(expiresAtMs, now())
    // Only what was changed: another tab or person may have changed the rest since.
    const edited = await edit(keyView.id, {
      ...(form.isDirty('name') && { name }),
      ...(form.isDirty('note') && { note: note.trim() || null }),
      ...(form.isDirty('networks') && { networks: networksOf(networks) }),
      ...(expiry !== undefined && { expiresAtMs: expiry }),
    })
    onClose()
    notifySuccess(`Saved “${isolated(edited.name)}”.`)
  }
  const { expiresAtMs } = keyView
  const kept = expiresAtMs === undefined ? 'never' : formatDateTime(new Date(expiresAtMs))
  return (
    <KeyForm form={form} send={send} submitLabel="Save" first={{ value: 'keep', label: `Unchanged (${kept})` }}>
      <TextInput label="Name" maxLength={100} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Note (optional)"
        description="Everyone in the organization can read it."
        maxLength={NOTE_LENGTH_MAX}
        autoComplete="off"
        {...form.getInputProps('note')}
      />
      <Textarea
        label="Allowed networks (optional)"
        description="One IPv4 or IPv6 address or CIDR range per line. Requests from elsewhere return 403. Leave empty to allow all."
        placeholder={'203.0.113.7\n2001:db8::/32'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('networks')}
      />
    </KeyForm>
  )
}

/** One network per line; commas separate them, too. */
function networksOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
