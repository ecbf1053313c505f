import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { EmailSection, NameSection } from './ProfileSections.tsx'
import { SecurityLog } from './SecurityLog.tsx'
import { SessionSection } from './SessionSection.tsx'
import { SecondFactorSection } from './TwoFactorSection.tsx'

/** The visitor's own account. */
export function AccountPage() {
  return (
    <>
      <PageHeader title="Your account">How you sign in, and where you're signed in.</PageHeader>
      <NameSection />
      <EmailSection />
      <PasswordSection />
      <PasskeySection />
      <SecondFactorSection />
      <SessionSection />
      <Section
        title="Security log"
        id="security-log"
        description="Sign-ins, attempts to sign in, and changes of your account. If you don't recognize one, change your password."
      >
        <SecurityLog />
      </Section>
      <DeleteSection />
    </>
  )
}

/** Deletes the account. Owners must transfer or delete their organizations first. */
function DeleteSection() {
  const me = useMe()
  const [isConfirming, setConfirming] = useState(false)
  const owned = me.organizations.filter(({ role }) => role === 'owner')
  const remove = async () => {
    await call('DELETE /api/me', { body: { confirm: me.email } })
    window.location.assign('/')
  }
  return (
    <Section
      title="Delete account"
      description="Deletes your sign-in, passkeys and memberships. API keys that you created stay with their organizations."
    >
      {owned.length > 0 ? (
        <Text size="sm" component="div">
          You own{' '}
          {owned.map(({ id, name }, n) => (
            <span key={id}>
              {n > 0 && ', '}
              <PageLink to="/app/o/$org/settings" params={{ org: id }} underline="always">
                <bdi>{name}</bdi>
              </PageLink>
            </span>
          ))}
          . Transfer or delete it first.
        </Text>
      ) : (
        <Group>
          <Button color="red" variant="outline" onClick={() => setConfirming(true)}>
            Delete your account
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Delete your account?"
        confirmLabel="Delete account"
        danger
        typedName={me.email}
        onConfirm={remove}
      >
        This can't be undone. You leave every organization and are signed out everywhere.
      </ConfirmDialog>
    </Section>
  )
}
