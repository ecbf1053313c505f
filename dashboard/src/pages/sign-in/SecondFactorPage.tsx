import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../api/session.ts'
import { useSignOut } from '../../api/sign-in.ts'
import { ButtonLink } from '../../components/links.tsx'
import { TurnOnDialog } from '../account/TwoFactorDialogs.tsx'
import { AuthCard } from './AuthCard.tsx'

/** The only page for people who have yet to set up a required second factor. */
export function SecondFactorPage() {
  const me = useMe()
  const signOut = useSignOut()
  const [isOpen, setOpen] = useState(false)
  return (
    <AuthCard
      title={me.needsSecondFactor ? 'Set up two-factor authentication' : 'Nothing left to set up'}
      lead={
        me.needsSecondFactor
          ? 'This service requires a code from an authenticator app when you sign in with your password.'
          : 'Your account fulfills the requirements of this service.'
      }
      below={
        <>
          Signed in as {me.email}.
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => signOut()}>
            Sign out
          </Anchor>
        </>
      }
    >
      {me.needsSecondFactor ? (
        <Button onClick={() => setOpen(true)}>Set up</Button>
      ) : (
        <ButtonLink to="/app">Continue</ButtonLink>
      )}
      {isOpen && <TurnOnDialog onClose={() => setOpen(false)} />}
    </AuthCard>
  )
}
