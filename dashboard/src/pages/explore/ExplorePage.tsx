import { Box, Button, Card, Tabs, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMe, useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { KEY_PLACEHOLDER, slotsCall } from '../../components/code-samples.ts'
import { IconCalendarStats, IconList } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { DayGrid } from './DayGrid.tsx'
import { NoMatch, PastTheEnd } from './EmptyResults.tsx'
import { ExploreTable } from './ExploreTable.tsx'
import classes from './explore.module.css'
import { type ExploreState, slotParameters } from './explore-state.ts'
import { FilterForm } from './FilterForm.tsx'
import { Pager } from './Pager.tsx'
import { SlotDrawer } from './SlotDrawer.tsx'
import { type Explore, parameterError, useExplore, useOpenSlot, useSlots } from './use-explore.ts'

/** The slots themselves, by the filters of the API, with the request that would bring the same. All that is chosen stands in the address. */
export function ExplorePage() {
  const explore = useExplore()
  const { state, go } = explore
  const { open, close } = useOpenSlot(explore)
  const slots = useSlots(state)
  // On a phone the slots come before the code.
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const fault = parameterError(slots.error)
  const { slot, view, ...rest } = state
  return (
    <>
      <PageHeader title="Explore slots">
        What the service knows right now, found with the API's own filters. Times are in your zone; hover over
        one for the source's.
      </PageHeader>
      <div className={classes.top}>
        <FilterForm {...explore} fault={fault} />
        {!isNarrow && <RequestCard state={state} />}
      </div>
      <Tabs
        mt="lg"
        keepMounted={false}
        value={view === 'days' ? 'days' : 'slots'}
        onChange={(chosen) => go(chosen === 'days' ? { ...rest, view: 'days' } : rest)}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="slots" leftSection={<IconList size={16} aria-hidden />}>
            {slots.data ? `Slots (${slots.data.total.toLocaleString()})` : 'Slots'}
          </Tabs.Tab>
          <Tabs.Tab value="days" leftSection={<IconCalendarStats size={16} aria-hidden />}>
            By day and state
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="slots">
          <Results {...explore} slots={slots} onOpen={open} />
        </Tabs.Panel>
        <Tabs.Panel value="days">
          <DayGrid {...explore} />
        </Tabs.Panel>
      </Tabs>
      {isNarrow && (
        <Box mt="xl">
          <RequestCard state={state} />
        </Box>
      )}
      <SlotDrawer
        opened={slot !== undefined && slots.data !== undefined}
        slot={slots.data?.slots.find(({ id }) => id === slot)}
        onClose={close}
      />
    </>
  )
}

function Results(props: Explore & { slots: ReturnType<typeof useSlots>; onOpen: (id: string) => void }) {
  const { slots, onOpen, ...explore } = props
  const { state, go } = explore
  if (slots.isPending) return <LoadingRows rows={12} height={48} />
  if (slots.isError) return <Refused {...explore} error={slots.error} onRetry={() => slots.refetch()} />
  const { slots: rows, total } = slots.data
  const { offset: _, ...atFirst } = state
  if (total === 0) return <NoMatch {...explore} />
  if (rows.length === 0) return <PastTheEnd total={total} onFirst={() => go(atFirst)} />
  return (
    <div className={classes.fresh} aria-busy={slots.isPlaceholderData}>
      <span className="sr-only" role="status">
        {total === 1 ? 'One slot matches' : `${total.toLocaleString()} slots match`}
      </span>
      <ExploreTable slots={rows} onOpen={({ id }) => onOpen(id)} />
      <Pager state={state} total={total} onGo={go} />
    </div>
  )
}

/** What is wrong with a filter stands at its field too; what is wrong with the page's number has no field. */
function Refused({ state, go, error, onRetry }: Explore & { error: Error; onRetry: () => void }) {
  const fault = parameterError(error)
  if (fault === undefined)
    return <ErrorState error={error} onRetry={onRetry} title="The slots could not be loaded" />
  const { limit: _limit, offset: _offset, [fault.field as 'city']: _wrong, ...right } = state
  return (
    <>
      <ErrorState error={error} title="The service cannot answer this" />
      <Button mt="sm" variant="default" onClick={() => go(right)}>
        Take it out
      </Button>
    </>
  )
}

/** The request that the filters stand for, ready to be pasted elsewhere. */
function RequestCard({ state }: { state: ExploreState }) {
  const { baseUrl } = useOptions()
  const [organization] = useMe().organizations
  return (
    <Card component="section" aria-labelledby="request" className={classes.request}>
      <Title order={2} id="request" mb={4} className={classes.cardHead}>
        The same from your code
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        This page asks with your session. Elsewhere, put{' '}
        {organization ? (
          <PageLink to="/app/o/$org/keys" params={{ org: organization.id }} underline="always">
            a key of yours
          </PageLink>
        ) : (
          'a key of yours'
        )}{' '}
        in the place of {KEY_PLACEHOLDER}.
      </Text>
      <CodeTabs samples={slotsCall({ baseUrl, search: slotParameters(state) })} />
    </Card>
  )
}
