import { Badge, Button, Group, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AuthSession, callAuth } from '../../api/better-auth.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { IconDeviceDesktop, IconDeviceMobile } from '../../components/icons.tsx'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { focusHeadingWhenGone, useDialog } from '../../components/use-restore-focus.ts'
import classes from './account.module.css'
import { describeDevice } from './describe-device.ts'

const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }) => {
    const [current, sessions] = await Promise.all([
      callAuth('GET /get-session', { signal }),
      callAuth('GET /list-sessions', { signal }),
    ])
    const isCurrent = (one: AuthSession) => one.id === current.session.id
    const byLastSeen = sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    return [...byLastSeen.filter(isCurrent), ...byLastSeen.filter((one) => !isCurrent(one))].map((one) => ({
      ...one,
      isCurrent: isCurrent(one),
    }))
  },
})

/** The visitor's sessions; all but the current one can be signed out. */
export function SessionSection() {
  const sessions = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const { isOpen, open, close } = useDialog()
  const signOutOthers = async () => {
    await callAuth('POST /revoke-other-sessions')
    await queryClient.invalidateQueries({ queryKey: ['auth'] })
    notifySuccess('Signed out of all other sessions.')
  }
  const hasOthers = (sessions.data?.length ?? 0) > 1
  return (
    <Section
      title="Sessions"
      description="Where you're signed in. Sign out any session you don't recognize, then change your password."
    >
      {sessions.isPending && <LoadingRows rows={2} />}
      {sessions.error && <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.data && (
        <ul className={classes.list}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {hasOthers && (
        <Group>
          <Button variant="default" onClick={open}>
            Sign out of all other sessions
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title="Sign out of all other sessions?"
        confirmLabel="Sign out"
        danger
        onConfirm={signOutOthers}
      >
        Every session except this one is signed out immediately.
      </ConfirmDialog>
    </Section>
  )
}

function SessionRow({ session }: { session: AuthSession & { isCurrent: boolean } }) {
  const queryClient = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => callAuth('POST /revoke-session', { body: { id: session.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['auth'] }),
    onError: notifyError,
  })
  const device = describeDevice(session.userAgent)
  const Icon = /iPhone|iPad|Android/.test(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row} ref={focusHeadingWhenGone}>
      <Icon size={20} aria-hidden className={classes.mark} />
      <div className={classes.what}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {device}
          </Text>
          {session.isCurrent && <Badge variant="light">This device</Badge>}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {session.ipAddress && <>{session.ipAddress} · </>}
          signed in <Timestamp at={session.createdAt} /> · last seen <Timestamp at={session.updatedAt} as="ago" />
        </Text>
      </div>
      {!session.isCurrent && (
        <Button
          size="xs"
          variant="default"
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
          aria-label={`Sign out ${device}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
