import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { KeyView, UsageView } from '../../../../src/shared/shapes.ts'
import { usageQuery } from '../../api/queries.ts'
import { useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../parts/CodeTabs.tsx'
import { slotsCall } from '../../parts/code-samples.ts'
import { oneOf, useAddressSearch } from '../usage/address-search.ts'
import { paintStatuses } from '../usage/paint.ts'
import { RangePicker } from '../usage/RangePicker.tsx'
import { UsageFigures } from '../usage/UsageFigures.tsx'
import { UsageOrState } from '../usage/UsageOrState.tsx'
import { UsagePicture } from '../usage/UsagePicture.tsx'
import { seriesByStatus } from '../usage/usage-series.ts'
import { RANGE_NAMES, stepsOf, type UsageSpan, usageSpan } from '../usage/usage-span.ts'
import { FirstRequest } from './FirstRequest.tsx'
import { SAMPLE_SEARCH } from './SecretDialog.tsx'

const RANGES = ['24h', '7d', '30d'] as const

/** Requests with one key over time, by status. For a key that was never used: how to use it. */
export function KeyUsage({ org, keyView }: { org: string; keyView: KeyView }) {
  if (keyView.lastUsedAtMs === undefined && keyView.status === 'active') {
    return <FirstUse org={org} keyView={keyView} />
  }
  return <UsageOverTime org={org} keyView={keyView} />
}

function UsageOverTime({ org, keyView }: { org: string; keyView: KeyView }) {
  const [search, change] = useAddressSearch()
  const range = oneOf(RANGES, search.range)
  const span = useMemo(() => usageSpan(range, stepsOf(range)[0], Date.now()), [range])
  const filter = { fromMs: span.fromMs, toMs: span.toMs, key: keyView.id }
  const usage = useQuery({ ...usageQuery(org, filter), staleTime: 0, refetchInterval: 5_000 })
  return (
    <section aria-labelledby="requests">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="requests">
          Requests
        </Title>
        <RangePicker ranges={RANGES} value={range} onChange={(chosen) => change({ range: chosen })} />
      </Group>
      <UsageOrState query={usage} emptyTitle={`No requests in the last ${RANGE_NAMES[range]}`}>
        {(shown) => (
          <Shown usage={shown} span={span} label={`Requests by status in the last ${RANGE_NAMES[range]}`} />
        )}
      </UsageOrState>
    </section>
  )
}

function Shown({ usage, span, label }: { usage: UsageView; span: UsageSpan; label: string }) {
  return (
    <Stack gap="md">
      <UsageFigures usage={usage} />
      <Card>
        <UsagePicture span={span} series={paintStatuses(seriesByStatus(usage.hours, span))} label={label} />
      </Card>
    </Stack>
  )
}

function FirstUse({ org, keyView }: { org: string; keyView: KeyView }) {
  const { baseUrl } = useOptions()
  return (
    <section aria-labelledby="first-use">
      <Title order={2} id="first-use" mb={4}>
        Send the first request
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Put your key in the place of YOUR_API_KEY. It was shown when the key was made and cannot be shown
        again: if it is lost, rotate the key.
      </Text>
      <Stack gap="md">
        <CodeTabs samples={slotsCall({ baseUrl, search: SAMPLE_SEARCH })} />
        <FirstRequest org={org} keyView={keyView} />
      </Stack>
    </section>
  )
}
