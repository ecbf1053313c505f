import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import type { SourceFilter, SourceOrder } from '../../../../src/shared/source-vocabulary.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { formatCount } from '../../components/format.ts'
import { IconAlertTriangle, IconFileImport, IconPlugConnected, IconPlus } from '../../components/icons.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination } from '../../components/Pagination.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound } from '../../components/states.tsx'
import { AddSourceDialog } from './AddSourceDialog.tsx'
import { IfOperator } from './IfOperator.tsx'
import classes from './operator.module.css'
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx'
import { SourceList } from './SourceList.tsx'
import { isDue } from './source-labels.ts'
import {
  FILTER_LABELS,
  formatSourceListState,
  ORDER_LABELS,
  parseSourceListState,
  type SourceListState,
} from './source-list-state.ts'
import { useSourceMutations } from './use-source-mutations.ts'

/** Refetch intervals: while a source is due for a sync, and otherwise. */
const POLL_DUE_MS = 2_000
const POLL_MS = 20_000

const PAGE = 50

type Summary = NonNullable<ReturnType<typeof useSources>['data']>['summary']

/** All sources; those that need attention first. Search, filter, order and page are in the URL. */
export function SourcesPage() {
  const [adding, dialog] = useDisclosure()
  const [state, setState] = useListState()
  const sources = useSources(state)
  const summary = sources.data?.summary
  const hasSources = summary !== undefined && summary.sources > 0
  const add = <AddButtons onAdd={dialog.open} />
  return (
    <>
      <PageHeader title="Sources" actions={hasSources ? add : undefined}>
        {hasSources ? describe(summary) : 'The feeds and files that provide the slots of this service.'}{' '}
        <PageLink to="/app/operator/source-log" size="sm" underline="always" c="inherit">
          Change log{' '}
        </PageLink>
      </PageHeader>
      {sources.isPending && <LoadingRows rows={6} height={64} />}
      {sources.isError && <ErrorState error={sources.error} onRetry={() => sources.refetch()} />}
      {summary?.sources === 0 && (
        <EmptyState icon={<IconPlugConnected aria-hidden />} title="No sources yet" action={add}>
          A source is a publisher's feed, a <code>$bulk-publish</code> manifest or a FHIR server that is synced
          regularly, or a file that you import.
        </EmptyState>
      )}
      {sources.data !== undefined && hasSources && (
        <Stack gap="md">
          <Attention count={sources.data.summary.attention} />
          <Filters summary={sources.data.summary} state={state} onChange={setState} />
          <SourceRows {...sources.data} state={state} isOld={sources.isPlaceholderData} onChange={setState} />
        </Stack>
      )}
      <AddSourceDialog opened={adding} onClose={dialog.close} />
    </>
  )
}

function useSources({ search, health, order, page }: SourceListState) {
  const filter = { search: search || undefined, health: health || undefined, order }
  return useQuery({
    ...sourcesQuery({ ...filter, limit: PAGE, offset: (page - 1) * PAGE }),
    refetchInterval: ({ state: { data } }) =>
      data?.sources.some((source) => isDue(source, Date.now())) ? POLL_DUE_MS : POLL_MS,
  })
}

/** A change of anything but the page starts again at the first page. */
function useListState(): [SourceListState, (change: Partial<SourceListState>) => void] {
  const navigate = useNavigate()
  const state = parseSourceListState(useSearch({ strict: false }))
  const change = (part: Partial<SourceListState>) => {
    const search = formatSourceListState({ ...state, page: 1, ...part })
    void navigate({ to: '/app/operator/sources', search, replace: part.page === undefined })
  }
  return [state, change]
}

function AddButtons({ onAdd }: { onAdd: () => void }) {
  return (
    <IfOperator>
      <Group gap="xs" justify="center">
        <ButtonLink
          to="/app/operator/import"
          search={{}}
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
        >
          Import a file
        </ButtonLink>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
          Add a source
        </Button>
      </Group>
    </IfOperator>
  )
}

function SourceRows(props: {
  sources: SourceView[]
  total: number
  state: SourceListState
  isOld: boolean
  onChange: (change: Partial<SourceListState>) => void
}) {
  const { sources, total, state, isOld, onChange } = props
  const changes = useSourceMutations()
  const [removing, setRemoving] = useState<SourceView>()
  if (total === 0 && state.search !== '')
    return <NothingFound search={state.search} onClear={() => onChange({ search: '' })} />
  if (total === 0) return <Text size="sm">No sources match this filter.</Text>
  return (
    <div className={classes.fresh} aria-busy={isOld}>
      {state.search !== '' && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          {total === 1 ? '1 source' : `${formatCount(total)} sources`}
        </Text>
      )}
      {sources.length === 0 ? (
        <Text size="sm">There are fewer pages now.</Text>
      ) : (
        <SourceList sources={sources} {...changes} onRemove={setRemoving} />
      )}
      <TablePagination
        label="Source pages"
        page={state.page}
        size={PAGE}
        total={total}
        onPage={(page) => onChange({ page })}
      />
      <RemoveSourceDialog source={removing} onClose={() => setRemoving(undefined)} onRemove={changes.remove} />
    </div>
  )
}

function Attention({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Alert color="orange" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {count === 1 ? '1 source needs attention.' : `${formatCount(count)} sources need attention.`}
    </Alert>
  )
}

function describe({ sources, slots }: Summary): string {
  return `${sources === 1 ? '1 source' : `${formatCount(sources)} sources`} with ${formatCount(slots)} slots.`
}

function Filters(props: {
  summary: Summary
  state: SourceListState
  onChange: (change: Partial<SourceListState>) => void
}) {
  const { summary, state, onChange } = props
  const counts: Readonly<Partial<Record<SourceFilter, number>>> = { attention: summary.attention, ...summary.byHealth }
  const filters = (Object.keys(FILTER_LABELS) as SourceFilter[])
    // The current filter stays selectable although no source matches it any more.
    .filter((filter) => filter === state.health || (counts[filter] ?? 0) > 0)
    .map((filter) => ({ value: filter, label: `${FILTER_LABELS[filter]} (${formatCount(counts[filter] ?? 0)})` }))
  return (
    <Group gap="sm">
      <SearchField
        label="Search by name or URL"
        wanted={state.search}
        onSettle={(search) => search !== state.search && onChange({ search })}
      />
      <NativeSelect
        aria-label="Health"
        w={{ base: '100%', xs: 'auto' }}
        value={state.health}
        onChange={({ currentTarget }) => onChange({ health: currentTarget.value as SourceFilter | '' })}
        data={[{ value: '', label: `All sources (${formatCount(summary.sources)})` }, ...filters]}
      />
      <NativeSelect
        aria-label="Sort by"
        w={{ base: '100%', xs: 'auto' }}
        value={state.order}
        onChange={({ currentTarget }) => onChange({ order: currentTarget.value as SourceOrder })}
        data={Object.entries(ORDER_LABELS).map(([value, label]) => ({ value, label }))}
      />
    </Group>
  )
}
