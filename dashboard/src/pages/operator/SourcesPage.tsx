import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconFileImport, IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { ButtonLink, PageLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../parts/states.tsx'
import { formatCount } from '../usage/figures.ts'
import { AddSourceDialog } from './AddSourceDialog.tsx'
import { HealthFilter } from './HealthFilter.tsx'
import { Pages, usePages } from './paging.tsx'
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx'
import { SourcesTable } from './SourcesTable.tsx'
import { type SourceChanges, useSourceChanges } from './source-changes.ts'
import { isDue, isNarrowing, narrowTo, needsAttention, sortSources } from './source-words.ts'

/** While a source is being synced somebody waits for it; else syncs come by the minute. */
const LOOK_SOON_MS = 2_000
const LOOK_LATER_MS = 20_000

const PAGE = 50

/** All feeds that the service reads; what needs a look stands first. */
export function SourcesPage() {
  const [adding, dialog] = useDisclosure()
  const [removing, setRemoving] = useState<SourceView>()
  const changes = useSourceChanges()
  const { health: asked = '' } = useSearch({ strict: false }) as { health?: string }
  const health = isNarrowing(asked) ? asked : ''
  const sources = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) =>
      state.data?.some((source) => isDue(source, Date.now())) ? LOOK_SOON_MS : LOOK_LATER_MS,
  })
  const add = (
    <Group gap="xs" justify="center">
      <ButtonLink
        to="/app/operator/import"
        search={{}}
        variant="default"
        leftSection={<IconFileImport size={16} aria-hidden />}
      >
        Import a file
      </ButtonLink>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        Add a source
      </Button>
    </Group>
  )
  return (
    <>
      <PageHeader title="Sources" actions={sources.data?.length ? add : undefined}>
        {sources.data?.length ? summary(sources.data) : 'The feeds that this service reads its slots from.'}{' '}
        <PageLink to="/app/operator/source-log" size="sm" underline="always" c="inherit">
          Changes by operators
        </PageLink>
      </PageHeader>
      {sources.isPending && <LoadingRows rows={6} height={64} />}
      {sources.isError && <ErrorState error={sources.error} onRetry={() => sources.refetch()} />}
      {sources.data?.length === 0 && (
        <EmptyState icon={<IconPlugConnected aria-hidden />} title="No sources yet" action={add}>
          A source is one publisher's feed: a <code>$bulk-publish</code> manifest or a FHIR server, read at
          once and then again and again; or a file that you import.
        </EmptyState>
      )}
      {sources.data !== undefined && sources.data.length > 0 && (
        <Stack gap="md">
          <Attention sources={sources.data} />
          <HealthFilter sources={sources.data} value={health} />
          <Narrowed
            key={health}
            sources={narrowTo(sources.data, health)}
            changes={changes}
            onRemove={setRemoving}
          />
        </Stack>
      )}
      <AddSourceDialog
        opened={adding}
        onClose={dialog.close}
        taken={sources.data?.map(({ slug }) => slug) ?? []}
      />
      <RemoveSourceDialog
        source={removing}
        onClose={() => setRemoving(undefined)}
        onRemove={changes.remove}
      />
    </>
  )
}

function Narrowed(props: {
  sources: readonly SourceView[]
  changes: SourceChanges
  onRemove: (source: SourceView) => void
}) {
  const pages = usePages(sortSources(props.sources), PAGE)
  if (pages.total === 0) return <Text size="sm">No source is so just now.</Text>
  return (
    <>
      <SourcesTable sources={pages.shown} {...props.changes} onRemove={props.onRemove} />
      <Pages label="Pages of sources" {...pages} />
    </>
  )
}

function Attention({ sources }: { sources: readonly SourceView[] }) {
  const count = sources.filter(needsAttention).length
  if (count === 0) return null
  return (
    <Alert color="orange" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {count === 1
        ? 'One source needs a look. It stands first, with the reason.'
        : `${formatCount(count)} sources need a look. They stand first, with the reason.`}
    </Alert>
  )
}

function summary(sources: readonly SourceView[]): string {
  const slots = sources.reduce((sum, { slotCount }) => sum + slotCount, 0)
  const count = sources.length === 1 ? 'One source' : `${formatCount(sources.length)} sources`
  return `${count} with ${formatCount(slots)} slots of any status.`
}
