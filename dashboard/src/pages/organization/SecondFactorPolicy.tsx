import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useMay, useMe, useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'

/** Whether members need a second factor. The owner changes it, once they have one themselves. */
export function SecondFactorPolicy() {
  const { requiresSecondFactor } = useOrganization()
  const me = useMe()
  const mayChange = useMay('organization.require-second-factor')
  const isReady = me.twoFactor || !me.hasPassword
  return (
    <Section
      title="Two-factor authentication"
      description={
        mayChange
          ? 'Members who sign in with a password also need a code from an authenticator app.'
          : 'Only the owner can change whether members need it.'
      }
    >
      <Text size="sm">{requiresSecondFactor ? 'Required of all members.' : 'Not required.'}</Text>
      {mayChange && (
        <Group>
          {isReady ? (
            <Change />
          ) : (
            <ButtonLink to="/app/account" variant="default">
              Set it up for your account first
            </ButtonLink>
          )}
        </Group>
      )}
    </Section>
  )
}

function Change() {
  const { id, name, requiresSecondFactor } = useOrganization()
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const required = !requiresSecondFactor
  const change = async () => {
    await call('POST /api/organizations/:org/second-factor', { params: { org: id }, body: { required } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess(required ? 'Two-factor authentication is required now.' : 'It is no longer required.')
  }
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {required ? 'Require it' : 'Stop requiring it'}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={required ? 'Require two-factor authentication?' : 'Stop requiring two-factor authentication?'}
        confirmLabel={required ? 'Require' : 'Stop requiring'}
        onConfirm={change}
      >
        {required
          ? `Members without it cannot see ${name} until they set it up. API keys keep working.`
          : 'Members can turn off two-factor authentication for their accounts.'}
      </ConfirmDialog>
    </>
  )
}
