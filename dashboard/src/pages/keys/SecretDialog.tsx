import { Button, Checkbox, Group, Modal, Stack, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { NewKey } from '../../../../src/shared/shapes.ts'
import { useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { CopyField } from '../../components/CopyButton.tsx'
import { slotsCall } from '../../components/code-samples.ts'
import { IconEyeOff } from '../../components/icons.tsx'
import { FirstRequest } from './FirstRequest.tsx'
import classes from './keys.module.css'

/** What the ready call asks for. */
export const SAMPLE_SEARCH = { state: 'MA', isVirtual: 'true' } as const

interface Secret {
  readonly org: string
  readonly created: NewKey
  readonly onClose: () => void
}

/**
 * Shows a new key, the only time that it can be shown, with a call that is ready to run. Neither a click beside it nor Escape
 * closes it, only a button, after its box was ticked.
 */
export function SecretDialog({ opened, ...secret }: { opened: boolean } & Secret) {
  return (
    <Modal
      opened={opened}
      onClose={secret.onClose}
      title={`Your new key “${secret.created.key.name}”`}
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <SecretBody {...secret} />
    </Modal>
  )
}

function SecretBody({ org, created, onClose }: Secret) {
  const { baseUrl } = useOptions()
  const [stored, setStored] = useState(false)
  const [reminded, setReminded] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  useAskBeforeLeaving(!stored)
  const done = () => {
    if (stored) return onClose()
    setReminded(true)
    box.current?.focus()
  }
  return (
    <Stack gap="md">
      <div className={classes.notice} role="note">
        <IconEyeOff size={18} aria-hidden />
        <div>
          <b>Copy it now: it is shown only this once.</b> We keep no more than its fingerprint. Store it as
          you would a password: on a server, never in source control or in a browser.
        </div>
      </div>
      <CopyField value={created.secret} label="API key" />
      <Title order={3}>Try it</Title>
      <CodeTabs samples={slotsCall({ baseUrl, search: SAMPLE_SEARCH, apiKey: created.secret })} />
      <FirstRequest org={org} keyView={created.key} />
      <Group justify="space-between" align="flex-start" gap="md">
        <Checkbox
          ref={box}
          label="I have stored this key in a safe place"
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
          error={reminded && !stored && 'Tick this first: the key cannot be shown again.'}
        />
        <Button onClick={done} ml="auto">
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** The browser asks whether to leave the page, for as long as the key would be lost with it. */
function useAskBeforeLeaving(asks: boolean) {
  useEffect(() => {
    if (!asks) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [asks])
}
