import { Button, Checkbox, Group, Modal, Stack, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { NewKey } from '../../../../src/shared/contract/keys.ts'
import { useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { CopyField } from '../../components/CopyButton.tsx'
import { SAMPLE_SEARCH, slotsCall } from '../../components/code-samples.ts'
import { downloadText } from '../../components/download-text.ts'
import { IconDownload, IconEyeOff } from '../../components/icons.tsx'
import { FirstRequest } from './FirstRequest.tsx'
import classes from './keys.module.css'

interface Secret {
  readonly org: string
  readonly created: NewKey
  readonly onClose: () => void
}

/**
 * Shows a new key once, with a request that is ready to run. Neither a click outside nor Escape
 * closes it, only the button after the visitor has confirmed that the key is saved.
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
  const [saved, setSaved] = useState(false)
  const [reminded, setReminded] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  useConfirmBeforeUnload(!saved)
  const done = () => {
    if (saved) return onClose()
    setReminded(true)
    box.current?.focus()
  }
  return (
    <Stack gap="md">
      <div className={classes.notice} role="note">
        <IconEyeOff size={18} aria-hidden />
        <div>
          <b>Copy it now. You won't see it again.</b> We store only a hash. Keep it like a password: on a server, never
          in source control or in a browser.
        </div>
      </div>
      <CopyField value={created.secret} label="API key" />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => downloadText('slots.env', `SLOTS_API_KEY=${created.secret}\n`)}
        style={{ alignSelf: 'flex-start' }}
      >
        Download .env
      </Button>
      <Title order={3}>Try it</Title>
      <CodeTabs samples={slotsCall({ baseUrl, search: SAMPLE_SEARCH, apiKey: created.secret })} />
      <FirstRequest org={org} keyView={created.key} />
      <Group justify="space-between" align="flex-start" gap="md">
        <Checkbox
          ref={box}
          label="I've saved this key in a safe place"
          checked={saved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
          error={reminded && !saved && "Confirm that you've saved it. It can't be shown again."}
        />
        <Button onClick={done} ml="auto">
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** Makes the browser ask before it leaves the page, because the key would be lost. */
function useConfirmBeforeUnload(enabled: boolean) {
  useEffect(() => {
    if (!enabled) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [enabled])
}
