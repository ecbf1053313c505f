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
import type { FeedCheckView } from '../../../../src/shared/feed-check-shapes.ts'
import { ApiError, api, path } from '../../api/client.ts'
import { feedCheckQuery } from '../../api/queries.ts'
import { formatBytes, formatCount } from '../../components/format.ts'
import { IconAlertTriangle, IconClipboardCheck } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { ErrorState, FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { CheckReportView } from './CheckReportView.tsx'
import classes from './operator.module.css'

interface Values extends Record<string, unknown> {
  /** Of the manifest; of a source, its slug. */
  feed: string
  strict: boolean
}

interface CheckSearch {
  /** Whose report is shown. */
  readonly check?: string
  /** What the form begins with: an address, or the slug of a source. */
  readonly url?: string
  readonly source?: string
}

const LOOK_EVERY_MS = 1_000

/** With several nodes, a look may come to one that knows nothing of the check: the next one comes to another. */
const ELSEWHERE_MAX = 15

/** A whole feed is read as a sync would, and what is not right about it is told; nothing is changed. */
export function CheckPage() {
  const { check: id, ...begin } = useSearch({ strict: false }) as CheckSearch
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    ...feedCheckQuery(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
    retry: (failures, error) => isUnknown(error) && failures < ELSEWHERE_MAX,
    retryDelay: LOOK_EVERY_MS,
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
        Reads a publisher's whole feed as a sync would and tells what is not right about it, line by line.
        Nothing is added and nothing is changed.
      </PageHeader>
      <Stack gap="lg">
        <CheckForm
          key={check?.id ?? source ?? url}
          feed={source ?? url}
          isSource={source !== undefined}
          isRunning={isRunning}
          onStarted={show}
        />
        {id !== undefined && query.isError && <Unknown error={query.error} onRetry={() => query.refetch()} />}
        {isRunning && <CheckProgress check={check} onStop={() => stopWherever(check.id)} />}
        {check !== undefined && !isRunning && <Outcome check={check} />}
      </Stack>
    </>
  )
}

/** With several nodes, the word may come to one that knows nothing of the check, as a look may. */
async function stopWherever(id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await api.remove(path`/operator/checks/${id}`)
      return
    } catch (fault) {
      if (!isUnknown(fault) || tries === ELSEWHERE_MAX) throw fault
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }
}

const isUnknown = (fault: unknown) => fault instanceof ApiError && fault.status === 404

function Unknown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!isUnknown(error)) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="This check is not known here">
      <Stack gap="sm" align="flex-start">
        A report is kept for an hour, by the node that made it, for whoever asked for it. It may be older,
        that node may have been restarted, or another one answers: with several nodes, look again, or check
        the feed anew.
        <Button variant="default" size="xs" onClick={onRetry}>
          Look again
        </Button>
      </Stack>
    </Alert>
  )
}

function CheckForm(props: {
  feed: string
  isSource: boolean
  isRunning: boolean
  onStarted: (check: FeedCheckView) => Promise<void>
}) {
  const form = useForm<Values>({
    initialValues: { feed: props.feed, strict: false },
    validate: { feed: props.isSource ? () => null : urlFault },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ feed, strict }) => {
    const wish = props.isSource ? { source: feed, strict } : { url: feed.trim(), strict }
    await props.onStarted(await api.post<FeedCheckView>('/operator/checks', wish))
  })
  return (
    <form {...formProps}>
      <Section
        title="The feed"
        description="At most five minutes and 2 GiB are read; a larger feed is told of as far as that goes."
      >
        <FeedField isSource={props.isSource} disabled={props.isRunning} {...form.getInputProps('feed')} />
        <Switch
          label="Strict"
          description="As a strict source reads it: what the specification forbids is rejected."
          disabled={props.isRunning}
          {...form.getInputProps('strict', { type: 'checkbox' })}
        />
        <FormError error={error} />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={busy}
            disabled={props.isRunning}
            leftSection={<IconClipboardCheck size={16} aria-hidden />}
          >
            Check the feed
          </Button>
        </Group>
      </Section>
    </form>
  )
}

/** The feed of a source is asked for with its headers, parameters and secrets: its slug says which. */
function FeedField({ isSource, ...input }: { isSource: boolean } & TextInputProps) {
  if (isSource)
    return (
      <TextInput
        {...input}
        label="Source"
        description={
          <>
            Asked for as by its syncs, with its headers, parameters and secrets, and read as strictly.{' '}
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
      label="Address of the manifest"
      description="It usually ends in $bulk-publish."
      placeholder="https://publisher.example/$bulk-publish"
      type="url"
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** What came of it, which takes the focus when it comes. */
function Outcome({ check }: { check: FeedCheckView }) {
  const answer = useRef<HTMLElement>(null)
  useEffect(() => answer.current?.focus({ preventScroll: true }), [])
  return (
    <section ref={answer} tabIndex={-1} style={{ outline: 'none' }} aria-label="What came of it">
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

function urlFault(text: string): string | null {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol)
    ? null
    : 'Enter an address that begins with https:// or http://'
}

/** How far a check is, and a way to end it with what it has. */
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
                ? 'Asking for the manifest'
                : `File ${formatCount(progress.reading)} of ${formatCount(progress.readings)}`}
            </Text>
            <Text size="sm" c="dimmed">
              {progress &&
                `${formatCount(progress.lines)} lines, ${formatBytes(progress.bytes)}, ${formatCount(progress.errors)} errors so far`}
            </Text>
          </div>
          <Button variant="default" onClick={stop} loading={isStopping}>
            Stop
          </Button>
        </Group>
        <Progress value={Math.max(2, share * 100)} animated aria-label="How far the check is" />
      </Stack>
    </Card>
  )
}
