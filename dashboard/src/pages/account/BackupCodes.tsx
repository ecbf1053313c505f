import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyButton } from '../../parts/CopyButton.tsx'
import classes from './account.module.css'

/** The backup codes, shown this once. They cannot be left behind by accident. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <Stack gap="md">
      <Text size="sm">
        Each of these signs you in once, in place of the app, when your phone is lost. They are shown only
        now: keep them where you keep passwords.
      </Text>
      <ul className={classes.codes} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={text} label="Copy the backup codes">
          Copy
        </CopyButton>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="scheduling-slots-backup-codes.txt"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download
        </Button>
      </Group>
      <Checkbox
        label="I have kept them"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
