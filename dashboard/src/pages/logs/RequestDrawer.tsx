import { Alert, Anchor, Drawer, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LogEntryView } from '../../../../src/shared/contract/logs.ts'
import { ApiError } from '../../api/client.ts'
import { logEntryQuery } from '../../api/queries.ts'
import { useDocsUrl, useOptions } from '../../api/session.ts'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { type Fact, Facts } from '../../components/Facts.tsx'
import { formatLatency, formatNumberOf } from '../../components/format.ts'
import { IconAlertTriangle, IconSearchOff } from '../../components/icons.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { HttpStatusBadge } from './LogTable.tsx'
import { curlOf, decodeTarget, exploreSearch } from './log-state.ts'

/** All that the log has about a request. `known`: the request, if the page has it already. */
export function RequestDrawer(props: {
  org: string
  /** The request ID; undefined: closed. */
  request: string | undefined
  entry: string | undefined
  known: LogEntryView | undefined
  onClose: () => void
}) {
  const { org, request = '', entry } = props
  const found = useQuery({ ...logEntryQuery(org, request, entry), enabled: props.request !== undefined })
  const shown = found.data?.entry ?? props.known
  return (
    <Drawer
      opened={props.request !== undefined}
      onClose={props.onClose}
      size="lg"
      attributes={{ header: { role: 'none' } }}
      title={<Text fw={600}>Request</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown && <Details org={org} entry={shown} keyName={found.data?.key?.name} />}
      {!shown && found.isLoading && <LoadingRows rows={6} />}
      {!shown && found.isError && <Missing error={found.error} onRetry={found.refetch} />}
    </Drawer>
  )
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.status === 404
  if (!isGone) return <ErrorState error={error} onRetry={onRetry} title="The request could not be loaded" />
  return (
    <EmptyState icon={<IconSearchOff aria-hidden />} title="This request is not in the log">
      It is older than the log, was made with a key of another organization, or arrived among more requests than the log
      records. Requests without a valid key are not logged.
    </EmptyState>
  )
}

interface DetailProps {
  readonly org: string
  readonly entry: LogEntryView
  readonly keyName: string | undefined
}

function Details({ org, entry, keyName }: DetailProps) {
  const { parameters } = decodeTarget(entry.target)
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <HttpStatusBadge status={entry.status} />
        <Text size="sm" c="dimmed" component="div">
          <Timestamp at={entry.atMs} as="seconds" /> in {formatLatency(entry.durationMs)}
        </Text>
      </Group>
      <CodeBlock code={`${entry.method} ${entry.target}`} label="Request line" />
      {entry.problem && <Problem problem={entry.problem} />}
      <Actions entry={entry} />
      {parameters.length > 0 && (
        <Facts title="Parameters" facts={parameters.map(([name, value]) => [name, value === '' ? '(empty)' : value])} />
      )}
      <Facts title="Caller" facts={callerFacts({ org, entry, keyName })} />
      {entry.leftOut > 0 && (
        <Text size="sm" c="dimmed">
          Not in the log: {formatNumberOf(entry.leftOut, 'request')} of this key directly before this one. More arrived
          at once than it records.
        </Text>
      )}
    </Stack>
  )
}

function Problem({ problem }: { problem: NonNullable<LogEntryView['problem']> }) {
  const errorsPage = useDocsUrl('errors')
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={problem.error}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {problem.message}
      </Text>
      {problem.parameter !== undefined && (
        <Text size="sm" mt={4}>
          Parameter: <strong>{problem.parameter}</strong>
        </Text>
      )}
      <Text size="sm" mt={4}>
        <Anchor href={errorsPage} inherit c="inherit" underline="always">
          What the errors mean
        </Anchor>
      </Text>
    </Alert>
  )
}

function Actions({ entry }: { entry: LogEntryView }) {
  const { baseUrl } = useOptions()
  const curl = curlOf(entry, baseUrl)
  const search = exploreSearch(entry)
  return (
    <Group gap="xs">
      {search && (
        <ButtonLink to="/app/explore" search={search as never} variant="default">
          Open in Explore
        </ButtonLink>
      )}
      {curl && (
        <CopyButton value={curl} label="Copy as curl">
          Copy as curl
        </CopyButton>
      )}
      <CopyButton value={window.location.href} label="Copy link to this request">
        Copy link
      </CopyButton>
    </Group>
  )
}

function callerFacts({ org, entry, keyName }: DetailProps): Fact[] {
  const { keyId, address, userAgent, requestId } = entry
  return [
    [
      'API key',
      <PageLink key="key" to="/app/o/$org/keys/$key" params={{ org, key: keyId }} underline="always">
        <bdi>{keyName ?? keyId}</bdi>
      </PageLink>,
    ],
    [
      'Network address',
      address === undefined ? (
        'Not recorded'
      ) : (
        <PageLink key="address" to="/app/o/$org/logs" params={{ org }} search={{ address } as never} underline="always">
          {address}
        </PageLink>
      ),
    ],
    ['User agent', userAgent ?? 'Not provided'],
    [
      'Request ID',
      <Group key="id" gap={4} wrap="nowrap">
        <span>{requestId}</span>
        <CopyButton value={requestId} label="Copy request ID" />
      </Group>,
    ],
  ]
}
