import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/Section.tsx'

/** Deletes the account. Whoever owns an organization hands it over, or deletes it, first. */
export function DeleteSection() {
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
