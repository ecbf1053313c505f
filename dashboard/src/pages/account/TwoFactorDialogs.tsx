import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { callAuth } from '../../api/better-auth.ts'
import { service } from '../../api/service.ts'
import { useMe } from '../../api/session.ts'
import { CopyButton, CopyField } from '../../components/CopyButton.tsx'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { IconPrinter } from '../../components/icons.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { PasswordForm } from '../../components/PasswordForm.tsx'
import { useHoldPage } from '../../components/use-hold-page.ts'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import { useTotpForm } from '../../components/use-totp-form.ts'
import classes from './account.module.css'

interface Secrets {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Turns on two-factor authentication: password, first code of the app, backup codes. Takes effect with the first correct code. */
export function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  useReturnFocus()
  const [secrets, setSecrets] = useState<Secrets>()
  const [isOn, setOn] = useState(false)
  const finish = () => {
    onClose()
    if (isOn) refresh(queryClient)
  }
  return (
    <FormModal
      opened
      onClose={finish}
      title={isOn ? 'Save your backup codes' : 'Turn on two-factor authentication'}
      closeOnClickOutside={false}
      closeOnEscape={!isOn}
      withCloseButton={!isOn}
    >
      {!secrets && (
        <PasswordForm
          label="Continue"
          send={async (password) => setSecrets(await callAuth('POST /two-factor/enable', { body: { password } }))}
        />
      )}
      {secrets && !isOn && <ScanStep uri={secrets.totpURI} onVerified={() => setOn(true)} />}
      {secrets && isOn && <BackupCodes codes={secrets.backupCodes} onDone={finish} />}
    </FormModal>
  )
}

/** Turns off two-factor authentication. */
export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  useReturnFocus()
  const turnOff = async (password: string) => {
    await callAuth('POST /two-factor/disable', { body: { password } })
    await refresh(queryClient)
    notifySuccess('Two-factor authentication is off.')
    onClose()
  }
  return (
    <FormModal opened onClose={onClose} title="Turn off two-factor authentication?">
      <PasswordForm
        label="Turn off"
        danger
        send={turnOff}
        lead="Your password alone will sign you in, and your backup codes will stop working."
      />
    </FormModal>
  )
}

/** Replaces the backup codes. */
export function NewBackupCodesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  useReturnFocus()
  const [codes, setCodes] = useState<readonly string[]>()
  const make = async (password: string) => {
    const made = await callAuth('POST /two-factor/generate-backup-codes', {
      body: {
        password,
      },
    })
    setCodes(made.backupCodes)
    await refresh(queryClient)
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title="New backup codes"
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      withCloseButton={!codes}
    >
      {codes ? (
        <BackupCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordForm label="Create new codes" send={make} lead="Your current codes will stop working." />
      )}
    </FormModal>
  )
}

/** Whether it is on, and the security log. */
async function refresh(queryClient: QueryClient): Promise<void> {
  await Promise.all([['me'], ['auth']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

function ScanStep({ uri, onVerified }: { uri: string; onVerified: () => void }) {
  const { form, formProps, busy, error } = useTotpForm(onVerified)
  return (
    <form {...formProps}>
      <Stack gap="md">
        <Text size="sm">Scan this code with your authenticator app, then enter the code that the app shows.</Text>
        <Group justify="center">
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Group>
        <div>
          <Text size="sm" mb={6}>
            Or enter this key in the app:
          </Text>
          <CopyField label="Key" value={new URL(uri).searchParams.get('secret') ?? ''} />
        </div>
        <TextInput
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <FormButtons busy={busy} error={error}>
          Turn on
        </FormButtons>
      </Stack>
    </form>
  )
}

/** The backup codes, shown once. Closing requires a confirmation that they are saved. */
function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false)
  const [isReminded, setReminded] = useState(false)
  useHoldPage(!isSaved, () => setReminded(true))
  const { email } = useMe()
  const text = `${codes.join('\n')}\n`
  return (
    <Stack gap="md">
      <Text size="sm" className={classes.printedOnly}>
        {service.name}, {email}
      </Text>
      <Text size="sm">
        Each code signs you in once if you lose your phone. They're shown only once: save them with your passwords.
      </Text>
      <ul className={classes.codes} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs" className={classes.notPrinted}>
        <CopyButton value={text} label="Copy backup codes">
          Copy
        </CopyButton>
        <DownloadLink
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          fileName="scheduling-slots-backup-codes.txt"
        >
          Download
        </DownloadLink>
        <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Checkbox
        label="I've saved them"
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
        error={isReminded && !isSaved && "Confirm that you've saved them. They can't be shown again."}
        className={classes.notPrinted}
      />
      <Group justify="flex-end" className={classes.notPrinted}>
        <Button disabled={!isSaved} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** A text as a QR code, dark on light in either scheme because many readers require it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0 })
  const dots = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={dots} fill="#000" />
    </svg>
  )
}
