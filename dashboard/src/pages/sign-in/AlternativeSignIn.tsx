import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { canUsePasskeys, signInWithPasskey, wasCanceled } from '../../api/passkeys.ts'
import { useOptions } from '../../api/session.ts'
import { startSingleSignOn, useFinishSignIn } from '../../api/sign-in.ts'
import { IconFingerprint, IconLogin2 } from '../../components/icons.tsx'
import { FormError } from '../../components/states.tsx'

/** Sign-in methods without a password: the configured identity provider, and a passkey. */
export function AlternativeSignIn(props: { next?: string | undefined; withPasskey: boolean }) {
  const { oidc } = useOptions()
  const enter = useFinishSignIn()
  const [busy, setBusy] = useState<'passkey' | 'oidc'>()
  const [error, setError] = useState<unknown>()
  const run = async (method: 'passkey' | 'oidc', action: () => Promise<void>) => {
    setBusy(method)
    setError(undefined)
    try {
      await action()
    } catch (error) {
      if (!wasCanceled(error)) setError(error)
      setBusy(undefined)
    }
  }
  const passkey = async () => {
    await signInWithPasskey()
    await enter(props.next)
  }
  return (
    <Stack gap="xs">
      {oidc && (
        <Button
          variant="default"
          fullWidth
          loading={busy === 'oidc'}
          leftSection={<IconLogin2 size={18} aria-hidden />}
          onClick={() => run('oidc', () => startSingleSignOn(props.next ?? '/app'))}
        >
          Continue with {oidc.name}
        </Button>
      )}
      {props.withPasskey && canUsePasskeys && (
        <Button
          variant="default"
          fullWidth
          loading={busy === 'passkey'}
          leftSection={<IconFingerprint size={18} aria-hidden />}
          onClick={() => run('passkey', passkey)}
        >
          Sign in with a passkey
        </Button>
      )}
      <FormError error={error} />
    </Stack>
  )
}
