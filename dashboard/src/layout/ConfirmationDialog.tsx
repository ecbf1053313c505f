import { Anchor, Button, Divider, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import { callAuth } from '../api/better-auth.ts'
import { canUsePasskeys, passkeysQuery, signInWithPasskey, wasCanceled } from '../api/passkeys.ts'
import { useMe, useOptions } from '../api/session.ts'
import { pageWithoutError, startSingleSignOn } from '../api/sign-in.ts'
import { FormModal } from '../components/FormModal.tsx'
import { IconFingerprint, IconLogin2 } from '../components/icons.tsx'
import { PasswordForm } from '../components/PasswordForm.tsx'
import { FormError } from '../components/states.tsx'
import { FormDialogContext } from '../components/use-submit.ts'
import { useTotpForm } from '../components/use-totp-form.ts'

/** Asks for the password, a code or a passkey. */
export function ConfirmationDialog({ isOpen, onClose }: { isOpen: boolean; onClose: (confirmed: boolean) => void }) {
  // Opens after it was mounted: only then does it return the focus.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(isOpen), [isOpen])
  return (
    <FormModal opened={opened} onClose={() => onClose(false)} title="Confirm it's you" zIndex={300} size="sm">
      {opened && <Methods onConfirmed={() => onClose(true)} />}
    </FormModal>
  )
}

interface MethodProps {
  readonly onConfirmed: () => void
}

function Methods({ onConfirmed }: MethodProps) {
  const { cancel } = use(FormDialogContext)
  const { hasPassword, twoFactor } = useMe()
  const { oidc, password } = useOptions()
  const [withCode, setWithCode] = useState(false)
  const passkeys = useQuery({ ...passkeysQuery, enabled: canUsePasskeys })
  const hasForm = hasPassword && password
  const confirmPassword = async (password: string) => {
    await callAuth('POST /confirm-password', { body: { password } })
    onConfirmed()
  }
  const hasPasskey = (passkeys.data?.length ?? 0) > 0
  return (
    <Stack gap="md">
      <Text size="sm">This is a sensitive change. You won't be asked again for 15 minutes.</Text>
      {hasForm &&
        (withCode ? (
          <CodeForm onConfirmed={onConfirmed} />
        ) : (
          <PasswordForm label="Confirm" send={confirmPassword} fullWidth />
        ))}
      {hasForm && twoFactor && (
        <Anchor component="button" type="button" size="sm" onClick={() => setWithCode(!withCode)}>
          {withCode ? 'Use your password instead' : 'Use a code from the authenticator app instead'}
        </Anchor>
      )}
      {hasForm && hasPasskey && <Divider label="or" />}
      {hasPasskey && <PasskeyButton onConfirmed={onConfirmed} />}
      {!hasForm && oidc && <SingleSignOnButton name={oidc.name} />}
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

function CodeForm({ onConfirmed }: MethodProps) {
  const { form, formProps, busy, error } = useTotpForm(onConfirmed)
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Code from the app"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          {...form.getInputProps('code')}
        />
        <FormError error={error} />
        <Button type="submit" loading={busy} fullWidth>
          Confirm
        </Button>
      </Stack>
    </form>
  )
}

function PasskeyButton({ onConfirmed }: MethodProps) {
  const { busy, error, run } = useAction(async () => {
    await signInWithPasskey()
    onConfirmed()
  })
  return (
    <>
      <Button
        variant="default"
        fullWidth
        loading={busy}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={run}
      >
        Use a passkey
      </Button>
      <FormError error={error} />
    </>
  )
}

/** Leaves the page, which the visitor sees again afterwards: the change has to be started again. */
function SingleSignOnButton({ name }: { name: string }) {
  const { busy, error, run } = useAction(() => startSingleSignOn(pageWithoutError(), { again: true }))
  return (
    <>
      <Text size="sm">You come back to this page and repeat the change.</Text>
      <Button fullWidth loading={busy} leftSection={<IconLogin2 size={18} aria-hidden />} onClick={run}>
        Sign in again with {name}
      </Button>
      <FormError error={error} />
    </>
  )
}

function useAction(action: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (error) {
      if (!wasCanceled(error)) setError(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run }
}
