import {
  Alert,
  Button,
  Card,
  Group,
  Progress,
  Stack,
  Switch,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { FeedCheckView } from '../../../../src/shared/contract/feed-checks.ts'
import { ApiError, call } from '../../api/client.ts'
import { feedCheckQuery } from '../../api/operator-queries.ts'
import { formatBytes, formatCount, formatNumberOf } from '../../components/format.ts'
import { IconAlertTriangle, IconClipboardCheck } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { ErrorState, FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { CheckReportView } from './CheckReportView.tsx'
import classes from './operator.module.css'

interface Values extends Record<string, unknown> {
  /** The manifest URL, or the slug of a source. */
  feed: string
  strict: boolean
  directory: boolean
}

interface CheckSearch {
  /** The id of the check that is shown. */
  readonly check?: string
  /** Prefills the form: a URL, or the slug of a source. */
  readonly url?: string
  readonly source?: string
}

const LOOK_REFRESH_MS = 1_000

/** Behind a load balancer, a poll may reach a node without the check; the next one may reach another node. */
const RETRIES_MAX = 15

/** Validates a whole feed without changing anything. */
export function CheckPage() {
  const { check: id, ...begin } = useSearch({ strict: false }) as CheckSearch
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    ...feedCheckQuery(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_REFRESH_MS : false),
    retry: (failures, error) => isUnknown(error) && failures < RETRIES_MAX,
    retryDelay: LOOK_REFRESH_MS,
  })
  const { data: check } = query
  const show = async (started: FeedCheckView) => {
    client.setQueryData(feedCheckQuery(started.id).queryKey, started)
    await navigate({ to: '/app/operator/check', search: { check: started.id }, replace: true })
  }
  const isRunning = check?.state === 'running'
  const { source, url = '' } = check ?? begin
  return (
    <>
      <PageHeader title="Check a feed">
        Reads a publisher's whole feed like a sync and lists every problem, line by line. Nothing is added or changed.
      </PageHeader>
      <Stack gap="lg">
        <CheckForm
          key={check?.id ?? source ?? url}
          feed={source ?? url}
          isSource={source !== undefined}
          isDirectory={check?.profile !== undefined}
          isStrict={check?.strict === true}
          isRunning={isRunning}
          onStarted={show}
        />
        {id !== undefined && query.isError && <Unknown error={query.error} onRetry={() => query.refetch()} />}
        {isRunning && <CheckProgress check={check} onStop={() => stopOnAnyNode(check.id)} />}
        {check !== undefined && !isRunning && <Outcome check={check} />}
      </Stack>
    </>
  )
}

/** Behind a load balancer, the request may also reach a node without the check. */
async function stopOnAnyNode(id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await call('DELETE /api/operator/checks/:check', { params: { check: id } })
      return
    } catch (error) {
      if (!isUnknown(error) || tries === RETRIES_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, LOOK_REFRESH_MS))
    }
  }
}

const isUnknown = (error: unknown) => error instanceof ApiError && error.status === 404

function Unknown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!isUnknown(error)) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="Check not found">
      <Stack gap="sm" align="flex-start">
        Reports are kept for an hour on the node that created them. This one may have expired, or the node was
        restarted. With several nodes, try again; otherwise check the feed again.
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}

function CheckForm(props: {
  feed: string
  isSource: boolean
  isDirectory: boolean
  isStrict: boolean
  isRunning: boolean
  onStarted: (check: FeedCheckView) => Promise<void>
}) {
  const form = useForm<Values>({
    initialValues: { feed: props.feed, strict: props.isStrict, directory: props.isDirectory },
    validate: { feed: props.isSource ? () => null : urlError },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ feed, strict, directory }) => {
    const options = { strict, ...(directory && { profile: 'slot-directory' as const }) }
    const body = props.isSource ? { source: feed, ...options } : { url: feed.trim(), ...options }
    await props.onStarted(await call('POST /api/operator/checks', { body }))
  })
  return (
    <form {...formProps}>
      <Section
        title="Feed"
        description="Reads at most 2 GiB for five minutes; larger feeds are checked up to that point."
      >
        <FeedField isSource={props.isSource} disabled={props.isRunning} {...form.getInputProps('feed')} />
        <Switch
          label="Strict"
          description="Rejects everything that the specification forbids, as for a strict source."
          disabled={props.isRunning}
          {...form.getInputProps('strict', { type: 'checkbox' })}
        />
        <Switch
          label="Slot Directory"
          description="Also assesses the statements of Bulk Publish, the guide and its community, as a conformance report."
          disabled={props.isRunning}
          {...form.getInputProps('directory', { type: 'checkbox' })}
        />
        <FormError error={error} />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={busy}
            disabled={props.isRunning}
            leftSection={<IconClipboardCheck size={16} aria-hidden />}
          >
            Check feed
          </Button>
        </Group>
      </Section>
    </form>
  )
}

/** Feeds of sources are requested with the source's headers, parameters and secrets. */
function FeedField({ isSource, ...input }: { isSource: boolean } & TextInputProps) {
  if (isSource)
    return (
      <TextInput
        {...input}
        label="Source"
        description={
          <>
            Requested with the source's headers, parameters and secrets.{' '}
            <PageLink to="/app/operator/check" inherit underline="always">
              Check another feed
            </PageLink>
          </>
        }
        readOnly
      />
    )
  return (
    <TextInput
      {...input}
      label="Manifest URL"
      description="It usually ends in $bulk-publish."
      placeholder="https://publisher.example/$bulk-publish"
      type="url"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** The result; takes the focus when it appears. */
function Outcome({ check }: { check: FeedCheckView }) {
  const answer = useRef<HTMLElement>(null)
  useEffect(() => answer.current?.focus({ preventScroll: true }), [])
  return (
    <section ref={answer} tabIndex={-1} style={{ outline: 'none' }} aria-label="Result">
      {check.report === undefined ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="The check failed">
          {check.message}
        </Alert>
      ) : (
        <CheckReportView report={check.report} />
      )}
    </section>
  )
}

function urlError(text: string): string | null {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) ? null : 'Enter a URL that starts with https:// or http://'
}

/** The progress of a check, with a stop button that keeps partial results. */
function CheckProgress({ check, onStop }: { check: FeedCheckView; onStop: () => Promise<unknown> }) {
  const [isStopping, setStopping] = useState(false)
  const { progress } = check
  const share = progress === undefined ? 0 : (progress.reading - 1) / Math.max(1, progress.readings)
  const stop = async () => {
    setStopping(true)
    await onStop().catch(() => setStopping(false))
  }
  return (
    <Card component="section" aria-label="Progress">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div className={classes.reason}>
            <Text size="sm" fw={600} role="status">
              {progress === undefined
                ? 'Requesting the manifest'
                : `File ${formatCount(progress.reading)} of ${formatCount(progress.readings)}`}
            </Text>
            <Text size="sm" c="dimmed">
              {progress &&
                `${formatNumberOf(progress.lines, 'line')}, ${formatBytes(progress.bytes)}, ${formatNumberOf(progress.errors, 'error')} so far`}
            </Text>
          </div>
          <Button variant="default" onClick={stop} loading={isStopping}>
            Stop
          </Button>
        </Group>
        <Progress value={Math.max(2, share * 100)} animated aria-label="Check progress" />
      </Stack>
    </Card>
  )
}
