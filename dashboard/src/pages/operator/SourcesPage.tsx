import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { formatCount } from '../../components/format.ts'
import { IconAlertTriangle, IconFileImport, IconPlugConnected, IconPlus } from '../../components/icons.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { AddSourceDialog } from './AddSourceDialog.tsx'
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx'
import { SourceList } from './SourceList.tsx'
import {
  filterSources,
  HEALTH_LABELS,
  isDue,
  isSourceFilter,
  needsAttention,
  type SourceFilter,
  sortSources,
  sourceFilterCounts,
} from './source-labels.ts'
import { type SourceMutations, useSourceMutations } from './use-source-mutations.ts'

/** Refetch intervals: while a source is due for a sync, and otherwise. */
const POLL_DUE_MS = 2_000
const POLL_MS = 20_000

const PAGE = 50

/** All sources; those that need attention first. */
export function SourcesPage() {
  const [adding, dialog] = useDisclosure()
  const [removing, setRemoving] = useState<SourceView>()
  const changes = useSourceMutations()
  const { health: requested = '' } = useSearch({ strict: false }) as { health?: string }
  const health = isSourceFilter(requested) ? requested : ''
  const sources = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) => (state.data?.some((source) => isDue(source, Date.now())) ? POLL_DUE_MS : POLL_MS),
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
        {sources.data?.length ? summary(sources.data) : 'The feeds and files that provide the slots of this service.'}{' '}
        <PageLink to="/app/operator/source-log" size="sm" underline="always" c="inherit">
          Change log{' '}
        </PageLink>
      </PageHeader>
      {sources.isPending && <LoadingRows rows={6} height={64} />}
      {sources.isError && <ErrorState error={sources.error} onRetry={() => sources.refetch()} />}
      {sources.data?.length === 0 && (
        <EmptyState icon={<IconPlugConnected aria-hidden />} title="No sources yet" action={add}>
          A source is a publisher's feed, a <code>$bulk-publish</code> manifest or a FHIR server that is synced
          regularly, or a file that you import.
        </EmptyState>
      )}
      {sources.data !== undefined && sources.data.length > 0 && (
        <Stack gap="md">
          <Attention sources={sources.data} />
          <HealthFilter sources={sources.data} value={health} />
          <FilteredSources
            key={health}
            sources={filterSources(sources.data, health)}
            changes={changes}
            onRemove={setRemoving}
          />
        </Stack>
      )}
      <AddSourceDialog opened={adding} onClose={dialog.close} taken={sources.data?.map(({ slug }) => slug) ?? []} />
      <RemoveSourceDialog source={removing} onClose={() => setRemoving(undefined)} onRemove={changes.remove} />
    </>
  )
}

function FilteredSources(props: {
  sources: readonly SourceView[]
  changes: SourceMutations
  onRemove: (source: SourceView) => void
}) {
  const pages = usePagination(sortSources(props.sources), PAGE)
  if (pages.total === 0) return <Text size="sm">No sources match this filter.</Text>
  return (
    <>
      <SourceList sources={pages.shown} {...props.changes} onRemove={props.onRemove} />
      <TablePagination label="Source pages" {...pages} />
    </>
  )
}

function Attention({ sources }: { sources: readonly SourceView[] }) {
  const count = sources.filter(needsAttention).length
  if (count === 0) return null
  return (
    <Alert color="orange" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {count === 1
        ? '1 source needs attention. It is listed first.'
        : `${formatCount(count)} sources need attention. They are listed first.`}
    </Alert>
  )
}

function summary(sources: readonly SourceView[]): string {
  const slots = sources.reduce((sum, { slotCount }) => sum + slotCount, 0)
  const count = sources.length === 1 ? '1 source' : `${formatCount(sources.length)} sources`
  return `${count} with ${formatCount(slots)} slots.`
}

/** Filters the sources by health; stored in the URL. */
function HealthFilter({ sources, value }: { sources: readonly SourceView[]; value: SourceFilter | '' }) {
  const navigate = useNavigate()
  const counts = sourceFilterCounts(sources)
  // The current filter stays selected although no source matches it any more.
  const isMissing = value !== '' && counts.every(({ filter }) => filter !== value)
  return (
    <NativeSelect
      aria-label="Health"
      w={{ base: '100%', xs: 240 }}
      value={value}
      onChange={({ currentTarget: { value: health } }) =>
        navigate({ to: '/app/operator/sources', search: health ? { health } : {}, replace: true })
      }
      data={[
        { value: '', label: `All sources (${formatCount(sources.length)})` },
        ...(isMissing ? [...counts, { filter: value, count: 0 }] : counts).map(({ filter, count }) => ({
          value: filter,
          label: `${filterLabel(filter)} (${formatCount(count)})`,
        })),
      ]}
    />
  )
}

function filterLabel(filter: SourceFilter): string {
  return filter === 'attention' ? 'Needs attention' : HEALTH_LABELS[filter]
}
