import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { EmailSection, NameSection } from './ProfileSections.tsx'
import { SessionSection } from './SessionSection.tsx'
import { SecondFactorSection } from './TwoFactorSection.tsx'

/** Everything about the visitor's own account. */
export function AccountPage() {
  return (
    <>
      <PageHeader title="Your account">How you sign in, and where you are signed in.</PageHeader>
      <NameSection />
      <EmailSection />
      <PasswordSection />
      <PasskeySection />
      <SecondFactorSection />
      <SessionSection />
      <DeleteSection />
    </>
  )
}

/** Deletes the account. Whoever owns an organization hands it over, or deletes it, first. */
function DeleteSection() {
  const me = useMe()
  const [isAsked, setAsked] = useState(false)
  const owned = me.organizations.filter(({ role }) => role === 'owner')
  const remove = async () => {
    await api.remove('/me', { confirm: me.email })
    window.location.assign('/')
  }
  return (
    <Section
      title="Delete account"
      description="Your sign-in, passkeys and memberships go. Keys that you made stay with their organizations."
    >
      {owned.length > 0 ? (
        <Text size="sm" component="div">
          You own{' '}
          {owned.map(({ id, name }, n) => (
            <span key={id}>
              {n > 0 && ', '}
              <PageLink to="/app/o/$org/settings" params={{ org: id }} underline="always">
                {name}
              </PageLink>
            </span>
          ))}
          . Hand it over or delete it first.
        </Text>
      ) : (
        <Group>
          <Button color="red" variant="outline" onClick={() => setAsked(true)}>
            Delete your account
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title="Delete your account?"
        confirmLabel="Delete account"
        danger
        typedName={me.email}
        onConfirm={remove}
      >
        This cannot be taken back. You leave every organization, and every session ends.
      </ConfirmDialog>
    </Section>
  )
}
