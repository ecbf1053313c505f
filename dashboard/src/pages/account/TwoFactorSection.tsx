import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../api/session.ts'
import { Section } from '../../components/Section.tsx'
import { NewBackupCodesDialog, TurnOffDialog, TurnOnDialog } from './TwoFactorDialogs.tsx'

/** A code from an authenticator app beside the password: turn on, off, and new backup codes. */
export function SecondFactorSection() {
  const { twoFactor, hasPassword } = useMe()
  const [opened, setOpened] = useState<'on' | 'off' | 'codes'>()
  const close = () => setOpened(undefined)
  return (
    <Section
      title="Second factor"
      beside={twoFactor && <Badge variant="light">On</Badge>}
      description="With it, a stolen password alone opens nothing: signing in also asks for a code from an authenticator app."
    >
      {!hasPassword && <Text size="sm">It goes with a password, and your account has none.</Text>}
      {hasPassword && !twoFactor && (
        <Group justify="space-between">
          <Text size="sm">It is off.</Text>
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
