import { Alert, Stack, Switch, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import type { LogEntryView } from '../../../../src/shared/contract/logs.ts'
import { now } from '../../api/now.ts'
import { limitsQuery, logCsvUrl, logPages } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { formatCount } from '../../components/format.ts'
import { IconInfoCircle, IconList } from '../../components/icons.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows, Refreshing } from '../../components/states.tsx'
import { useSearchParams } from '../../components/use-search-params.ts'
import { LogFilters } from './LogFilters.tsx'
import { LogTable } from './LogTable.tsx'
import { isLogFiltered, type LogAddress, logFilter } from './log-state.ts'
import { RequestDrawer } from './RequestDrawer.tsx'

/** The organization's request log, newest first. Filters and the open request are in the URL. */
export function LogsPage() {
  const org = useOrganization().id
  const [address, change] = useSearchParams()
  const filter = useLogFilter(address)
  const isLive = address.live === '1'
  const log = useInfiniteQuery(logPages(org, filter, isLive))
  const pages = log.data?.pages ?? []
  const entries = pages.flatMap((page) => page.entries)
  const { request, close } = useOpenRequest(org)
  return (
    <>
      <PageHeader
        title="Logs"
        path={`/app/o/${org}/logs`}
        actions={
          <>
            <Switch
              label="Live"
              checked={isLive}
              onChange={(event) => change({ live: event.currentTarget.checked ? '1' : undefined })}
            />
            <DownloadLink href={logCsvUrl(org, filter)}>Export CSV</DownloadLink>
          </>
        }
      >
        <Retention />
      </PageHeader>
      <Stack gap="md">
        <LogFilters org={org} address={address} change={change} />
        {log.isPending && <LoadingRows rows={20} height={34} />}
        {(log.isLoadingError || log.isRefetchError) && (
          <ErrorState
            error={log.error}
            onRetry={log.refetch}
            title={`The logs could not be ${log.data ? 'updated' : 'loaded'}`}
          />
        )}
        {log.data && entries.length === 0 && <NothingLogged filtered={isLogFiltered(address)} />}
        {(pages[0]?.leftOut ?? 0) > 0 && <LeftOutNotice count={pages[0].leftOut} />}
        {entries.length > 0 && (
          <Refreshing isOutdated={log.isPlaceholderData}>
            <LogTable org={org} entries={entries} caption="Requests" keyNames={keyNamesOf(pages)} />
          </Refreshing>
        )}
        {!isLive && <MoreButton query={log}>Show older requests</MoreButton>}
      </Stack>
      <RequestDrawer
        org={org}
        request={request}
        entry={address.entry}
        known={entries.find((each) => isOpen(each, request, address.entry))}
        onClose={close}
      />
    </>
  )
}

/** "Last hour" counts from when it was chosen, so that later pages use the same range. */
function useLogFilter({ key, status, method, path, address, request, time, from, to }: LogAddress) {
  return useMemo(
    () => logFilter({ key, status, method, path, address, request, time, from, to }, now()),
    [key, status, method, path, address, request, time, from, to],
  )
}

/** The request ID in the path, and what closes its drawer: it goes back in history if the request was opened on this page. */
function useOpenRequest(org: string) {
  const { request } = useParams({ strict: false })
  const { history } = useRouter()
  const navigate = useNavigate()
  const hasShownList = useRef(false)
  useEffect(() => {
    if (request === undefined) hasShownList.current = true
  }, [request])
  const close = () => {
    if (hasShownList.current) history.back()
    else
      void navigate({
        to: '/app/o/$org/logs',
        params: { org },
        search: ((previous: object) => ({ ...previous, entry: undefined })) as never,
        replace: true,
        resetScroll: false,
      })
    // A second Escape must not leave the page.
    hasShownList.current = false
  }
  return { request, close }
}

function isOpen({ id, requestId }: LogEntryView, request: string | undefined, entry: string | undefined): boolean {
  return requestId === request && (entry === undefined || String(id) === entry)
}

function keyNamesOf(pages: readonly { keys: readonly { id: string; name: string }[] }[]): ReadonlyMap<string, string> {
  return new Map(pages.flatMap(({ keys }) => keys.map(({ id, name }) => [id, name] as const)))
}

/** Takes as much room before it has loaded, so that the page does not move. */
function Retention() {
  const { data } = useQuery(limitsQuery)
  const { logDays, logEntries } = data?.retention ?? { logDays: 7, logEntries: 100_000 }
  const days = logDays === 1 ? 'day' : `${formatCount(logDays)} days`
  return (
    <>
      Requests with your API keys
      <span style={{ visibility: data ? 'visible' : 'hidden' }}>
        : the last {days}, at most {formatCount(logEntries)}.
      </span>
    </>
  )
}

function LeftOutNotice({ count }: { count: number }) {
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} role="note" py="xs">
      <Text size="sm">
        {formatCount(count)} {count === 1 ? 'request of this period is' : 'requests of this period are'} not in the log:
        more arrived at once than it records. Usage counts include them.
      </Text>
    </Alert>
  )
}

function NothingLogged({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState icon={<IconList aria-hidden />} title={filtered ? 'No matching requests' : 'No requests yet'}>
      {filtered
        ? 'Remove a filter, or choose a longer time range.'
        : 'Requests with your API keys appear here about a second after they are answered.'}
    </EmptyState>
  )
}
