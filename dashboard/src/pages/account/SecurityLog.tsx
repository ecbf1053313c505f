import { Group, Switch, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { securityLogCsvUrl, securityLogPages } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { AuditEntryLine } from '../audit/AuditEntryLine.tsx'
import { ownEntry } from './own-entry.ts'
import classes from './security-log.module.css'

/** Sign-ins and changes of an account, newest first. `user`: the account's ID, for operators; without it, the visitor's account. */
export function SecurityLog({ user }: { user?: string }) {
  const [withSignIns, setWithSignIns] = useState(true)
  const signIns = withSignIns ? undefined : 'false'
  const log = useInfiniteQuery(securityLogPages(user, signIns))
  return (
    <>
      <Group justify="space-between">
        <Switch
          label="Show sign-ins"
          checked={withSignIns}
          onChange={(event) => setWithSignIns(event.currentTarget.checked)}
        />
        <DownloadLink href={securityLogCsvUrl(user, signIns)} size="xs">
          Export CSV
        </DownloadLink>
      </Group>
      {log.isPending && <LoadingRows rows={4} />}
      {log.isLoadingError && <ErrorState error={log.error} onRetry={() => log.refetch()} />}
      {log.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {withSignIns ? 'Sign-ins and changes appear here.' : 'No changes yet.'}
        </Text>
      )}
      {log.data && log.data.length > 0 && <Entries entries={log.data} isOwn={user === undefined} />}
      <MoreButton query={log}>Show older entries</MoreButton>
    </>
  )
}

function Entries({ entries, isOwn }: { entries: readonly AuditView[]; isOwn: boolean }) {
  const { email } = useMe()
  return (
    <ul className={classes.list} aria-label="Security log">
      {entries.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <AuditEntryLine entry={isOwn ? ownEntry(entry, email) : entry}>
            <Text size="xs" c="dimmed" component="div">
              <Timestamp at={entry.atMs} />
              {entry.address !== undefined && ` · ${entry.address}`}
            </Text>
          </AuditEntryLine>
        </li>
      ))}
    </ul>
  )
}
