import { Box, Button, Card, Group, NativeSelect, SegmentedControl, Tabs, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useMe, useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { KEY_PLACEHOLDER, slotsCall } from '../../components/code-samples.ts'
import { formatCount } from '../../components/format.ts'
import { IconCalendarStats, IconList, IconMap } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PaginationBar } from '../../components/Pagination.tsx'
import { ErrorState, LoadingRows, Refreshing } from '../../components/states.tsx'
import { oneOfOrFirst } from '../../components/use-search-params.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { NoMatch, PastTheEnd } from './EmptyResults.tsx'
import { ExploreTable } from './ExploreTable.tsx'
import classes from './explore.module.css'
import { type ExploreState, LIMIT_DEFAULT, slotParameters } from './explore-state.ts'
import { FilterChips } from './FilterChips.tsx'
import { FilterForm } from './FilterForm.tsx'
import { NotifyMe } from './NotifyMe.tsx'
import { TimeViewContext, TimeViewSwitch, timeViewOf } from './SlotTime.tsx'
import { type Explore, parameterError, type ShownSlots, useExplore, useOpenSlot, useSlots } from './use-explore.ts'

const StateMap = lazy(async () => ({ default: (await import('./StateMap.tsx')).StateMap }))
const DayGrid = lazy(async () => ({ default: (await import('./DayGrid.tsx')).DayGrid }))

// It loads after the page.
const SlotDrawer = lazy(async () => ({ default: (await import('./SlotDrawer.tsx')).SlotDrawer }))

const VIEWS = ['slots', 'map', 'days'] as const

/** Lists slots by the API's filters, with the equivalent request. All state is in the URL. */
export function ExplorePage() {
  const explore = useExplore()
  const { state } = explore
  const { open, close } = useOpenSlot(explore)
  const slots = useSlots(state)
  // On a phone, slots come before the code.
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const error = parameterError(slots.error)
  const { slot } = state
  return (
    <TimeViewContext value={timeViewOf(state)}>
      <PageHeader
        title="Explore slots"
        actions={
          <>
            <NotifyMe state={state} />
            <TimeViewSwitch {...explore} />
          </>
        }
      >
        Live slots, using the same filters as the API.
      </PageHeader>
      <div className={classes.top}>
        <FilterForm {...explore} error={error} />
        {!isNarrow && <RequestCard state={state} />}
      </div>
      <FilterChips {...explore} />
      <ConnectionNotice slots={slots} />
      <Views {...explore} slots={slots} onOpen={open} isNarrow={isNarrow} />
      {isNarrow && (
        <Box mt="xl">
          <RequestCard state={state} />
        </Box>
      )}
      <Suspense>
        <SlotDrawer
          opened={slot !== undefined && slots.data !== undefined}
          slot={slots.data?.slots.find(({ id }) => id === slot)}
          state={state}
          onClose={close}
        />
      </Suspense>
    </TimeViewContext>
  )
}

/** The slots that match as a table, a map or a grid of days. */
function Views(props: Explore & { slots: ShownSlots; onOpen: (id: string) => void; isNarrow: boolean }) {
  const { slots, onOpen, isNarrow, ...explore } = props
  const { state, go } = explore
  const { slot: _slot, view, ...rest } = state
  return (
    <Tabs
      mt="md"
      keepMounted={false}
      value={oneOfOrFirst(VIEWS, view)}
      onChange={(chosen) => go(chosen === null || chosen === 'slots' ? rest : { ...rest, view: chosen })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="slots" leftSection={!isNarrow && <IconList size={16} aria-hidden />}>
          {slots.data ? `Slots (${formatCount(slots.data.total)})` : 'Slots'}
        </Tabs.Tab>
        <Tabs.Tab value="map" leftSection={!isNarrow && <IconMap size={16} aria-hidden />}>
          Map
        </Tabs.Tab>
        <Tabs.Tab value="days" leftSection={!isNarrow && <IconCalendarStats size={16} aria-hidden />}>
          By day and state
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="slots">
        <Results {...explore} slots={slots} onOpen={onOpen} />
      </Tabs.Panel>
      <Tabs.Panel value="map">
        <Suspense fallback={<LoadingRows />}>
          <StateMap {...explore} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="days">
        <Suspense fallback={<LoadingRows />}>
          <DayGrid {...explore} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}

function Results(props: Explore & { slots: ShownSlots; onOpen: (id: string) => void }) {
  const { slots, onOpen, ...explore } = props
  const { state, go } = explore
  if (slots.data === undefined) {
    if (slots.error === null) return <LoadingRows rows={12} height={48} />
    return <Refused {...explore} error={slots.error} onRetry={slots.retry} />
  }
  const { slots: rows, total } = slots.data
  const { offset: _, ...atFirst } = state
  if (total === 0) return <NoMatch {...explore} />
  if (rows.length === 0) return <PastTheEnd total={total} onFirst={() => go(atFirst)} />
  return (
    <Refreshing isOutdated={slots.isOutdated && !slots.isUnreachable}>
      <span className="sr-only" role="status">
        {total === 1 ? 'One slot matches' : `${formatCount(total)} slots match`}
      </span>
      <Group justify="space-between" align="flex-start" mb="xs">
        <ResultOrder {...explore} />
        <DownloadCsv state={state} total={total} />
      </Group>
      <ExploreTable {...explore} slots={rows} onOpen={({ id }) => onOpen(id)} />
      <SlotPagination state={state} total={total} onGo={go} />
    </Refreshing>
  )
}

/** The columns that sort the list. */
function ResultOrder({ state, refine }: Explore) {
  if (state.near === undefined)
    return (
      <Text size="sm" c="dimmed">
        Sorted by start, soonest first. For the nearest first, set <b>Near</b>.
      </Text>
    )
  return (
    <SegmentedControl
      size="xs"
      aria-label="Order"
      value={state.sort ?? 'start'}
      onChange={(sort) => refine({ sort: sort === 'start' ? undefined : sort })}
      data={[
        { value: 'start', label: 'Soonest first' },
        { value: 'distance', label: 'Nearest first' },
      ]}
    />
  )
}

/** Invalid filters also show their error at the field; invalid page numbers have no field. */
function Refused({ state, go, error, onRetry }: Explore & { error: Error; onRetry: () => void }) {
  const invalid = parameterError(error)
  if (invalid === undefined) return <ErrorState error={error} onRetry={onRetry} title="The slots could not be loaded" />
  const { limit: _limit, offset: _offset, [invalid.field as 'city']: _wrong, ...right } = state
  return (
    <>
      <ErrorState error={error} title="This filter isn't valid" />
      <Button mt="sm" variant="default" onClick={() => go(right)}>
        Remove filter
      </Button>
    </>
  )
}

/** The request for the current filters, ready to copy. */
function RequestCard({ state }: { state: ExploreState }) {
  const { baseUrl } = useOptions()
  const [organization] = useMe().organizations
  return (
    <Card component="section" aria-labelledby="request" className={classes.request}>
      <Title order={2} id="request" mb={4} className={classes.cardHead}>
        Use this in your code
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        This page uses your session. In your own code, replace {KEY_PLACEHOLDER} with{' '}
        {organization ? (
          <PageLink to="/app/o/$org/keys" params={{ org: organization.id }} underline="always">
            an API key
          </PageLink>
        ) : (
          'an API key'
        )}
        .
      </Text>
      <CodeTabs samples={slotsCall({ baseUrl, search: slotParameters(state) })} />
    </Card>
  )
}

const PAGE_SIZES = ['10', '25', '50', '100']

/** The range of slots shown, the page size and page links. */
function SlotPagination(props: { state: ExploreState; total: number; onGo: (state: ExploreState) => void }) {
  const { state, total } = props
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const limit = Number(state.limit ?? LIMIT_DEFAULT)
  const offset = Number(state.offset ?? 0)
  const sizes = PAGE_SIZES.includes(String(limit)) ? PAGE_SIZES : [String(limit), ...PAGE_SIZES]
  return (
    <PaginationBar
      label="Slot pages"
      page={Math.floor(offset / limit) + 1}
      offset={offset}
      size={limit}
      total={total}
      onPage={(page) => props.onGo(atOffset(state, (page - 1) * limit))}
      siblings={isNarrow ? 0 : 1}
    >
      <NativeSelect
        size="xs"
        aria-label="Slots per page"
        value={String(limit)}
        data={sizes.map((size) => ({ value: size, label: `${size} per page` }))}
        onChange={(event) => props.onGo({ ...atOffset(state, 0), limit: event.currentTarget.value })}
      />
    </PaginationBar>
  )
}

function atOffset(state: ExploreState, offset: number): ExploreState {
  const { offset: _offset, slot: _slot, ...rest } = state
  return offset === 0 ? rest : { ...rest, offset: String(offset) }
}
