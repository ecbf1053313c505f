import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceDetail, SourceView } from '../../../../src/shared/contract/sources.ts'
import { now } from '../../api/now.ts'
import { sourceQuery } from '../../api/source-queries.ts'
import { CardSection } from '../../components/CardSection.tsx'
import {
  IconClipboardCheck,
  IconFileImport,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '../../components/icons.tsx'
import { BackLink, ButtonLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState } from '../../components/states.tsx'
import { UnloadedPage } from '../../components/UnloadedPage.tsx'
import { AnomalyNotice } from './AnomalyNotice.tsx'
import { EditSourceDialog } from './EditSourceDialog.tsx'
import { FreshnessHistory } from './FreshnessHistory.tsx'
import { HealthEvents } from './HealthEvents.tsx'
import { IfOperator } from './IfOperator.tsx'
import { Messages } from './Messages.tsx'
import { OpenSlots } from './OpenSlots.tsx'
import { Rejections } from './Rejections.tsx'
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx'
import { SourceBadges } from './SourceBadges.tsx'
import { SourceChangeLog } from './SourceChangeLog.tsx'
import { SourceSettings, SourceStatistics } from './SourceDetails.tsx'
import { SyncHistory } from './SyncHistory.tsx'
import { FLAG_LABELS, flagReason, isDue } from './source-labels.ts'
import { type SourceMutations, useSourceMutations } from './use-source-mutations.ts'

const POLL_DUE_MS = 2_000
const POLL_MS = 20_000

/** One source: health, open slots, syncs, rejected lines, settings and change log. */
export function SourcePage() {
  const { slug = '' } = useParams({ strict: false })
  const changes = useSourceMutations()
  const source = useQuery({
    ...sourceQuery(slug),
    refetchInterval: ({ state }) => (state.data && isDue(state.data, now()) ? POLL_DUE_MS : POLL_MS),
  })
  const above = <BackLink to="/app/operator/sources">All sources</BackLink>
  if (source.data === undefined)
    return (
      <UnloadedPage
        query={source}
        title="Source"
        above={above}
        action={<ButtonLink to="/app/operator/sources">View all sources</ButtonLink>}
      />
    )
  return (
    <>
      <PageHeader
        title={source.data.name ?? slug}
        above={above}
        beside={<SourceBadges source={source.data} />}
        actions={
          <IfOperator>
            <Actions source={source.data} changes={changes} />
          </IfOperator>
        }
      />
      {source.isError && <ErrorState error={source.error} onRetry={() => source.refetch()} />}
      <Detail source={source.data} changes={changes} />
    </>
  )
}

function Detail({ source, changes }: { source: SourceDetail; changes: SourceMutations }) {
  return (
    <Stack gap="lg">
      <AnomalyNotice source={source} changes={changes} />
      {source.flags
        .filter((flag) => flag !== 'never-synced' && flag !== 'suspicious')
        .map((flag) => (
          <Alert
            key={flag}
            color={flag === 'failing' || flag === 'empty' ? 'red' : 'orange'}
            title={FLAG_LABELS[flag]}
            style={{ overflowWrap: 'anywhere' }}
          >
            {flagReason(flag, source)}
          </Alert>
        ))}
      <SourceStatistics source={source} />
      <CardSection title="Open slots">
        <OpenSlots slug={source.slug} />
      </CardSection>
      <CardSection title="Freshness">
        <FreshnessHistory history={source.history} />
      </CardSection>
      <CardSection title="Health">
        <HealthEvents events={source.events} />
      </CardSection>
      <CardSection title="Syncs">
        <SyncHistory history={source.history} />
      </CardSection>
      <CardSection title="Rejected lines">
        <Rejections source={source} />
      </CardSection>
      {source.messages.length > 0 && (
        <CardSection title="Messages">
          <Messages messages={source.messages} />
        </CardSection>
      )}
      <CardSection title="Settings">
        <SourceSettings source={source} changes={changes} />
      </CardSection>
      <CardSection title="Change log">
        <SourceChangeLog actions={source.actions} />
      </CardSection>
    </Stack>
  )
}

function Actions({ source, changes }: { source: SourceView; changes: SourceMutations }) {
  const navigate = useNavigate()
  const [removing, setRemoving] = useState(false)
  const [editing, setEditProps] = useState(false)
  const { slug } = source
  const remove = async () => {
    await changes.remove(slug)
    await navigate({ to: '/app/operator/sources' })
  }
  return (
    <Group gap="xs">
      {source.format === 'files' ? (
        <ImportButton slug={slug} />
      ) : (
        <>
          <SyncButtons source={source} changes={changes} />
          {source.format === 'smart-links' && <CheckButton slug={slug} />}
        </>
      )}
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditProps(true)}>
        Edit
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      <RemoveSourceDialog source={removing ? source : undefined} onClose={() => setRemoving(false)} onRemove={remove} />
      <EditSourceDialog opened={editing} source={source} onClose={() => setEditProps(false)} onEdit={changes.edit} />
    </Group>
  )
}

function SyncButtons({ source: { slug, paused }, changes }: { source: SourceView; changes: SourceMutations }) {
  return (
    <>
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => changes.syncNow(slug)}
        disabled={paused}
      >
        Sync now
      </Button>
      <Button
        variant="default"
        leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => changes.setPaused(slug, !paused)}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </>
  )
}

/** Links to the validation of the feed. */
function CheckButton({ slug }: { slug: string }) {
  return (
    <ButtonLink
      to="/app/operator/check"
      search={{ source: slug }}
      variant="default"
      leftSection={<IconClipboardCheck size={16} aria-hidden />}
    >
      Check feed
    </ButtonLink>
  )
}

/** Imported sources have no syncs. */
function ImportButton({ slug }: { slug: string }) {
  return (
    <ButtonLink to="/app/operator/import" search={{ slug }} leftSection={<IconFileImport size={16} aria-hidden />}>
      Import a file
    </ButtonLink>
  )
}
