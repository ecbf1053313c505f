import { Button, Card, Group, SegmentedControl, Select, Stack, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { KeyView } from '../../../../src/shared/shapes.ts'
import { keysQuery, usageCsvUrl, usageQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { ButtonLink, PageLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { oneOf, useAddressSearch } from './address-search.ts'
import { KEY_SERIES_MAX, paintKeys, paintStatuses } from './paint.ts'
import { RangePicker } from './RangePicker.tsx'
import { UsageByKey } from './UsageByKey.tsx'
import { UsageFigures } from './UsageFigures.tsx'
import { UsageOrState } from './UsageOrState.tsx'
import { UsagePicture } from './UsagePicture.tsx'
import { seriesByKey, seriesByStatus } from './usage-series.ts'
import { RANGE_NAMES, RANGES, type Range, stepsOf, usageSpan } from './usage-span.ts'

const GROUPS = ['status', 'key'] as const
const DEFAULT_RANGE: Range = '7d'

/** Requests of the organization: how many, how answered, how fast, with which key. What is shown stands in the address. */
export function UsagePage() {
  const org = useOrganization().id
  const view = useUsageView(org)
  const keys = useQuery(keysQuery(org))
  const usage = useQuery({ ...usageQuery(org, view.filter), refetchInterval: MINUTE_MS })
  const names = useMemo(() => keyNames(keys.data ?? []), [keys.data])
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          <Button
            component="a"
            href={usageCsvUrl(org, view.filter)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Export CSV
          </Button>
        }
      >
        Every request that was made with one of your keys, within a second of its answer. Nothing is charged
        for, and there are no rate limits today: see{' '}
        <PageLink to="/app/o/$org/limits" params={{ org }} inherit underline="always">
          Limits
        </PageLink>
        .
      </PageHeader>
      <Stack gap="lg">
        <Controls view={view} keys={keys.data ?? []} />
        <UsageOrState
          query={usage}
          emptyTitle={`No requests in the last ${RANGE_NAMES[view.range]}`}
          empty={
            <NothingYet org={org} ofOneKey={view.filter.key !== undefined} onAllKeys={view.showAllKeys} />
          }
        >
          {(shown) => (
            <Stack gap="lg">
              <UsageFigures usage={shown} />
              <Card padding="lg">
                <UsagePicture
                  span={view.span}
                  series={
                    view.group === 'status'
                      ? paintStatuses(seriesByStatus(shown.hours, view.span))
                      : paintKeys(
                          seriesByKey(shown.hours, view.span, KEY_SERIES_MAX),
                          (id) => names.get(id) ?? id,
                        )
                  }
                  label={`Requests by ${view.group} in the last ${RANGE_NAMES[view.range]}`}
                />
              </Card>
              <section aria-labelledby="by-key">
                <Title order={2} id="by-key" mb="sm">
                  By key
                </Title>
                <UsageByKey org={org} usage={shown} names={names} />
              </section>
            </Stack>
          )}
        </UsageOrState>
      </Stack>
    </>
  )
}

type View = ReturnType<typeof useUsageView>

/** What the address asks for. The time is fixed while it stays the same, so that reading it anew is one query. */
function useUsageView(org: string) {
  const [search, change] = useAddressSearch()
  const range = search.range ? oneOf(RANGES, search.range) : DEFAULT_RANGE
  const step = oneOf(stepsOf(range), search.step)
  const key = search.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: another organization is looked at from now
  const span = useMemo(() => usageSpan(range, step, Date.now()), [range, step, org])
  return {
    range,
    step,
    group: oneOf(GROUPS, search.by),
    span,
    filter: { fromMs: span.fromMs, toMs: span.toMs, key },
    change,
    showAllKeys: () => change({ key: undefined }),
  }
}

function Controls({ view, keys }: { view: View; keys: readonly KeyView[] }) {
  const steps = stepsOf(view.range)
  return (
    <Group gap="sm">
      <RangePicker
        ranges={RANGES}
        value={view.range}
        onChange={(range) => view.change({ range, step: undefined })}
      />
      {steps.length > 1 && (
        <SegmentedControl
          size="sm"
          aria-label="One bar for each"
          data={steps.map((value) => ({ value, label: value === 'day' ? 'By day' : 'By hour' }))}
          value={view.step}
          onChange={(step) => view.change({ step })}
        />
      )}
      <SegmentedControl
        size="sm"
        aria-label="Colours stand for"
        data={[
          { value: 'status', label: 'By status' },
          { value: 'key', label: 'By key' },
        ]}
        value={view.group}
        onChange={(by) => view.change({ by })}
      />
      <Select
        size="sm"
        w={240}
        aria-label="Key"
        placeholder="All keys"
        data={keys.map((key) => ({ value: key.id, label: `${key.name} (…${key.lastFour})` }))}
        value={view.filter.key ?? null}
        onChange={(key) => view.change({ key: key ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Show all keys' }}
        searchable
        nothingFoundMessage="No key of that name"
      />
    </Group>
  )
}

function NothingYet(props: { org: string; ofOneKey: boolean; onAllKeys: () => void }) {
  if (props.ofOneKey) return <Button onClick={props.onAllKeys}>Show all keys</Button>
  return (
    <ButtonLink to="/app/o/$org/keys" params={{ org: props.org }}>
      Go to your keys
    </ButtonLink>
  )
}

/** `name (…9Qx2)`, since names need not differ. */
function keyNames(keys: readonly KeyView[]): ReadonlyMap<string, string> {
  return new Map(keys.map((key) => [key.id, `${key.name} (…${key.lastFour})`]))
}
