import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../api/session.ts'
import { Section } from '../../components/Section.tsx'
import { NewBackupCodesDialog, TurnOffDialog, TurnOnDialog } from './TwoFactorDialogs.tsx'

/** Two-factor authentication: turn on, turn off, new backup codes. */
export function SecondFactorSection() {
  const { twoFactor, hasPassword } = useMe()
  const [opened, setOpened] = useState<'on' | 'off' | 'codes'>()
  const close = () => setOpened(undefined)
  return (
    <Section
      title="Two-factor authentication"
      beside={twoFactor && <Badge variant="light">On</Badge>}
      description="Signing in also requires a code from an authenticator app, so a stolen password isn't enough."
    >
      {!hasPassword && <Text size="sm">It requires a password, and your account has none.</Text>}
      {hasPassword && !twoFactor && (
        <Group justify="space-between">
          <Text size="sm">Off</Text>
          <Button variant="default" onClick={() => setOpened('on')}>
            Turn on
          </Button>
        </Group>
      )}
      {hasPassword && twoFactor && (
        <Group gap="xs">
          <Button variant="default" onClick={() => setOpened('codes')}>
            New backup codes
          </Button>
          <Button variant="subtle" color="red" onClick={() => setOpened('off')}>
            Turn off
          </Button>
        </Group>
      )}
      {opened === 'on' && <TurnOnDialog onClose={close} />}
      {opened === 'off' && <TurnOffDialog onClose={close} />}
      {opened === 'codes' && <NewBackupCodesDialog onClose={close} />}
    </Section>
  )
}
