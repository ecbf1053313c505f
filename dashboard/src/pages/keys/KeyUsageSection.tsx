import { Card, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { usageQuery } from '../../api/queries.ts'
import { useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { SAMPLE_SEARCH, slotsCall } from '../../components/code-samples.ts'
import { TitledSection } from '../../components/TitledSection.tsx'
import { useQuarterHour } from '../../components/use-quarter-hour.ts'
import { oneOfOrFirst, useSearchParams } from '../../components/use-search-params.ts'
import { RangePicker } from '../usage/RangePicker.tsx'
import { styleByStatus } from '../usage/series-style.ts'
import { UsageOverTime } from '../usage/UsageOverTime.tsx'
import { UsageOrEmpty, UsageStatistics } from '../usage/UsageStatistics.tsx'
import { RANGE_DAYS, RANGE_LABELS, stepsOf, type UsagePeriod, usagePeriod } from '../usage/usage-range.ts'
import { seriesByStatus } from '../usage/usage-series.ts'
import { useKept } from '../usage/use-kept.ts'
import { FirstRequest } from './FirstRequest.tsx'
import { isActiveKey } from './key-labels.ts'

const RANGES = ['24h', '7d', '30d'] as const

/** Requests with one key over time, by status; a quickstart if the key has never been used. */
export function KeyUsageSection({ org, keyView }: { org: string; keyView: KeyView }) {
  if (keyView.lastUsedAtMs === undefined) {
    if (isActiveKey(keyView)) return <FirstUse org={org} keyView={keyView} />
    return <TitledSection title="Requests" empty="This key was never used." />
  }
  return <KeyUsageOverTime org={org} keyView={keyView} />
}

function KeyUsageOverTime({ org, keyView }: { org: string; keyView: KeyView }) {
  const [search, change] = useSearchParams()
  const range = oneOfOrFirst(RANGES, search.range)
  const nowMs = useQuarterHour()
  const span = useMemo(() => usagePeriod(range, stepsOf(RANGE_DAYS[range])[0], nowMs), [range, nowMs])
  const filter = { fromMs: span.fromMs, toMs: span.toMs, key: keyView.id }
  const usage = useQuery({ ...usageQuery(org, filter), staleTime: 0, refetchInterval: 5_000 })
  const { isPlaceholderData: isOutdated } = usage
  const drawn = useKept(
    useMemo(() => ({ span, label: `in the last ${RANGE_LABELS[range]}` }), [span, range]),
    isOutdated,
  )
  return (
    <TitledSection
      title="Requests"
      beside={<RangePicker ranges={RANGES} value={range} onChange={(chosen) => change({ range: chosen })} />}
    >
      <UsageOrEmpty
        query={usage}
        isOutdated={isOutdated}
        emptyTitle={`No requests ${drawn.label}`}
        {...(!isActiveKey(keyView) && { emptyText: 'Choose a longer time range.' })}
      >
        {(shown) => <Shown usage={shown} span={drawn.span} label={`Requests by status ${drawn.label}`} />}
      </UsageOrEmpty>
    </TitledSection>
  )
}

function Shown({ usage, span, label }: { usage: UsageView; span: UsagePeriod; label: string }) {
  return (
    <Stack gap="md">
      <UsageStatistics usage={usage} />
      <Card>
        <UsageOverTime span={span} series={styleByStatus(seriesByStatus(usage.hours, span))} label={label} />
      </Card>
    </Stack>
  )
}

function FirstUse({ org, keyView }: { org: string; keyView: KeyView }) {
  const { baseUrl } = useOptions()
  return (
    <TitledSection
      title="Send your first request"
      description="Replace YOUR_API_KEY with your key. It was shown when you created it and can't be shown again. If you lost it, rotate the key."
    >
      <Stack gap="md">
        <CodeTabs samples={slotsCall({ baseUrl, search: SAMPLE_SEARCH })} />
        <FirstRequest org={org} keyView={keyView} />
      </Stack>
    </TitledSection>
  )
}
