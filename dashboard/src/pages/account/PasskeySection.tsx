import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callAuth, type Passkey } from '../../api/better-auth.ts'
import { addPasskey, canUsePasskeys, passkeysQuery, wasCanceled } from '../../api/passkeys.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { IconFingerprint, IconPencil, IconTrash } from '../../components/icons.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { ErrorState, FormError, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { useDialogText } from '../../components/use-dialog-text.ts'
import { useDialog } from '../../components/use-restore-focus.ts'
import { useSubmit } from '../../components/use-submit.ts'
import classes from './account.module.css'
import { describeDevice } from './describe-device.ts'

/** The visitor's passkeys: list, add, rename, remove. */
export function PasskeySection() {
  const passkeys = useQuery(passkeysQuery)
  return (
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, face or device PIN instead of a password. Passkeys can't be phished."
    >
      {passkeys.isPending && <LoadingRows rows={1} />}
      {passkeys.error && <ErrorState error={passkeys.error} onRetry={() => passkeys.refetch()} />}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul className={classes.list}>
          {passkeys.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {canUsePasskeys ? (
        <AddForm />
      ) : (
        <Text size="sm" c="dimmed">
          This browser can't create passkeys for this page. Passkeys need https (or localhost) and a browser from 2025
          or later.
        </Text>
      )}
    </Section>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const renaming = useDialog()
  const removal = useDialog()
  const label = passkeyLabel(passkey)
  return (
    <li className={classes.row}>
      <IconFingerprint size={20} aria-hidden className={classes.mark} />
      <div className={classes.what}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          Added <Timestamp at={passkey.createdAt} as="date" />
        </Text>
      </div>
      <Tooltip label="Rename">
        <ActionIcon variant="subtle" color="gray" aria-label={`Rename ${label}`} onClick={renaming.open}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove">
        <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label}`} onClick={removal.open}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <RenameDialog passkey={passkey} opened={renaming.isOpen} onClose={renaming.close} />
      <RemoveDialog passkey={passkey} opened={removal.isOpen} onClose={removal.close} />
    </li>
  )
}

interface DialogProps {
  readonly passkey: Passkey
  readonly opened: boolean
  readonly onClose: () => void
}

function RenameDialog({ passkey, opened, onClose }: DialogProps) {
  const change = usePasskeyMutation(passkey)
  const [name, setName] = useDialogText(opened, passkeyLabel(passkey))
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Rename passkey"
      confirmLabel="Rename"
      disabled={name.trim() === ''}
      onConfirm={() => change('update-passkey', { name: name.trim() }, 'Passkey renamed.')}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

function RemoveDialog({ passkey, opened, onClose }: DialogProps) {
  const change = usePasskeyMutation(passkey)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Remove ${passkeyLabel(passkey)}?`}
      confirmLabel="Remove"
      danger
      onConfirm={() => change('delete-passkey', {}, 'Passkey removed.')}
    >
      It will no longer sign you in. Your device may keep a copy; delete it there too.
    </ConfirmDialog>
  )
}

function usePasskeyMutation({ id }: Passkey) {
  const queryClient = useQueryClient()
  return async (route: 'update-passkey' | 'delete-passkey', body: object, message: string) => {
    await callAuth(`POST /passkey/${route}`, { body: { id, ...body } })
    await queryClient.invalidateQueries({ queryKey: ['auth'] })
    notifySuccess(message)
  }
}

function passkeyLabel({ name }: Passkey): string {
  return name || 'Passkey'
}

function AddForm() {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: '' } })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    try {
      await addPasskey(name.trim() || describeDevice(navigator.userAgent))
    } catch (error) {
      if (wasCanceled(error)) return
      throw error
    }
    await queryClient.invalidateQueries({ queryKey: ['auth'] })
    form.reset()
    notifySuccess('Passkey added. Use it the next time you sign in.')
  })
  return (
    <form {...formProps}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Passkey name"
          placeholder={describeDevice(navigator.userAgent)}
          autoComplete="off"
          maxLength={100}
          flex="1 1 240px"
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={busy}>
          Add passkey
        </Button>
      </Group>
      <FormError error={error} />
    </form>
  )
}
