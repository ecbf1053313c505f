import { Anchor, Code, Loader, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import type { LogEntryView } from '../../../../src/shared/contract/logs.ts'
import { logQuery } from '../../api/queries.ts'
import { useDocsUrl } from '../../api/session.ts'
import { formatLatency } from '../../components/format.ts'
import { IconAlertCircle, IconCircleCheckFilled } from '../../components/icons.tsx'
import { statusLabel } from '../usage/status-labels.ts'
import classes from './keys.module.css'

const POLL_INTERVAL_MS = 1000
const SHOWN_MAX = 10

/** Waits for the first request with a key and shows its status. Keeps waiting after a failed request. */
export function FirstRequest({ org, keyView }: { org: string; keyView: KeyView }) {
  const { data } = useQuery({
    ...logQuery(org, { key: keyView.id }, SHOWN_MAX),
    staleTime: 0,
    refetchInterval: (query) => (succeeded(query.state.data) ? false : POLL_INTERVAL_MS),
    // The visitor runs the request in a terminal, so this tab is in the background.
    refetchIntervalInBackground: true,
  })
  const request = succeeded(data) ?? data?.[0]
  useFreshKeys(org, request?.requestId)
  const state = !request ? 'waiting' : request.status < 400 ? 'success' : 'refused'
  return (
    <div className={classes.firstRequest} data-state={state} role="status">
      {request ? <Arrived request={request} /> : <Waiting />}
    </div>
  )
}

/** Reads the list behind the dialog again when a request arrives: it shows the time as the last use. */
function useFreshKeys(org: string, requestId: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (requestId !== undefined)
      void client.invalidateQueries({ queryKey: ['organizations', org, 'keys', '', 'pages'] })
  }, [client, org, requestId])
}

/** The newest request that succeeded. */
function succeeded(requests: readonly LogEntryView[] | undefined): LogEntryView | undefined {
  return requests?.find((request) => request.status < 400)
}

function Waiting() {
  return (
    <Line mark={<Loader size={20} aria-hidden />} title="Waiting for your first request…">
      Run the request above. It appears here within about a second.
    </Line>
  )
}

function Arrived({ request }: { request: LogEntryView }) {
  const errorsPage = useDocsUrl('errors')
  const outcome = `${statusLabel(request.status)} in ${formatLatency(request.durationMs)}`
  if (request.status >= 400) {
    return (
      <Line
        mark={<IconAlertCircle size={22} color="var(--mantine-color-orange-text)" aria-hidden />}
        title={`A request arrived: ${outcome}`}
      >
        The key works, but the request failed. See{' '}
        <Anchor href={errorsPage} target="_blank" inherit underline="always">
          what the status means
        </Anchor>
        , then run it again.
      </Line>
    )
  }
  return (
    <Line
      mark={<IconCircleCheckFilled size={24} color="var(--mantine-color-success)" aria-hidden />}
      title={`Your first request arrived: ${outcome}`}
    >
      <Code>{`${request.method} ${request.target}`}</Code>
    </Line>
  )
}

function Line({ mark, title, children }: { mark: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      {mark}
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {children}
        </Text>
      </div>
    </>
  )
}
