import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourcesSummary } from '../../../../src/shared/contract/source-lists.ts'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { now } from '../../api/now.ts'
import { useIsOperator } from '../../api/session.ts'
import { SOURCES_PER_PAGE, sourceSummaryQuery, sourcesQuery } from '../../api/source-queries.ts'
import { formatNumberOf } from '../../components/format.ts'
import { IconFileImport, IconPlugConnected, IconPlus } from '../../components/icons.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination } from '../../components/Pagination.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound, Refreshing } from '../../components/states.tsx'
import { AddSourceDialog } from './AddSourceDialog.tsx'
import { IfOperator } from './IfOperator.tsx'
import { ListPage } from './ListPage.tsx'
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { Attention, SourceFilters } from './SourceFilters.tsx'
import { SourceList } from './SourceList.tsx'
import { countSources, isDue } from './source-labels.ts'
import {
  formatSourceListState,
  parseSourceListState,
  type SourceListState,
  sourceSearchOf,
} from './source-list-state.ts'
import { useSourceMutations } from './use-source-mutations.ts'
import { useSourceSelection } from './use-source-selection.ts'

/** Refetch intervals: while a source is due for a sync, and otherwise. */
const POLL_DUE_MS = 2_000
const POLL_MS = 20_000

/** All sources; those that need attention first. Search, filter, order and page are in the URL. */
export function SourcesPage() {
  const [adding, dialog] = useDisclosure()
  const [state, setState] = useListState()
  const sources = useSources(state)
  // The reasons are above the list: both are shown at once, so that the list keeps its place.
  const { data: counts, isPending: isCounting } = useQuery(sourceSummaryQuery)
  const isLoading = (sources.isPending || isCounting) && !sources.isError
  const [isOpen, setOpen] = useState(false)
  if (!isLoading && !isOpen) setOpen(true)
  // From then on the filters stay, since somebody may be typing.
  const summary = isOpen ? (sources.data?.summary ?? counts) : undefined
  const hasSources = summary !== undefined && summary.sources > 0
  const add = <AddButtons onAdd={dialog.open} />
  return (
    <>
      <PageHeader title="Sources" actions={hasSources ? add : undefined}>
        {hasSources ? describe(summary) : 'The feeds and files that provide the slots of this service.'}{' '}
        <PageLink to="/app/operator/source-log" size="sm" underline="always" c="inherit">
          Change log
        </PageLink>
      </PageHeader>
      {hasSources && (
        <Stack gap="md" mb="md">
          <Attention count={summary.attention} reasons={counts?.reasons ?? []} />
          <SourceFilters summary={summary} state={state} onChange={setState} />
        </Stack>
      )}
      {isLoading && <LoadingRows rows={20} height={34} />}
      {sources.isError && <ErrorState error={sources.error} onRetry={() => sources.refetch()} />}
      {summary?.sources === 0 && (
        <EmptyState icon={<IconPlugConnected aria-hidden />} title="No sources yet" action={add}>
          A source is a publisher's feed, a <code>$bulk-publish</code> manifest or a FHIR server that is synced
          regularly, or a file that you import.
        </EmptyState>
      )}
      {sources.data !== undefined && hasSources && (
        <SourceRows {...sources.data} state={state} isOld={sources.isPlaceholderData} onChange={setState} />
      )}
      <AddSourceDialog opened={adding} onClose={dialog.close} />
    </>
  )
}

function useSources(state: SourceListState) {
  const { order, page } = state
  return useQuery({
    ...sourcesQuery({
      ...sourceSearchOf(state),
      order,
      limit: SOURCES_PER_PAGE,
      offset: (page - 1) * SOURCES_PER_PAGE,
    }),
    refetchInterval: ({ state: { data } }) =>
      data?.sources.some((source) => isDue(source, now())) ? POLL_DUE_MS : POLL_MS,
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
  /** How many sources are on the pages before. */
  offset: number
  state: SourceListState
  isOld: boolean
  onChange: (change: Partial<SourceListState>) => void
}) {
  const { sources, total, offset, state, isOld, onChange } = props
  const changes = useSourceMutations()
  const isOperator = useIsOperator()
  const selection = useSourceSelection(
    JSON.stringify(sourceSearchOf(state)),
    sources.map(({ slug }) => slug),
  )
  const [removing, setRemoving] = useState<SourceView>()
  if (total === 0 && state.search !== '')
    return <NothingFound search={state.search} onClear={() => onChange({ search: '' })} />
  if (total === 0) return <Text size="sm">No sources match this filter.</Text>
  return (
    <Refreshing isOutdated={isOld}>
      {(state.search !== '' || state.reason !== '') && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          {countSources(total)}
        </Text>
      )}
      <ListPage isPastLast={sources.length === 0} onFirst={() => onChange({ page: 1 })}>
        {isOperator && (
          <SelectionBar sources={sources} total={total} search={sourceSearchOf(state)} selection={selection} />
        )}
        <SourceList
          sources={sources}
          order={state.order}
          onOrder={(order) => onChange({ order })}
          selection={selection}
          onRemove={setRemoving}
          {...changes}
        />
        <TablePagination
          label="Source pages"
          page={state.page}
          size={SOURCES_PER_PAGE}
          total={total}
          // Of the rows that are shown, which may still be those of the last page.
          offset={offset}
          onPage={(page) => onChange({ page })}
        />
      </ListPage>
      <RemoveSourceDialog source={removing} onClose={() => setRemoving(undefined)} onRemove={changes.remove} />
    </Refreshing>
  )
}

function describe({ sources, slots }: SourcesSummary): string {
  return `${countSources(sources)} with ${formatNumberOf(slots, 'slot')}.`
}
