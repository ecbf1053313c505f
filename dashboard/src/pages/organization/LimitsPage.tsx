import { Anchor, Card, SimpleGrid, Space, Text, ThemeIcon, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { limitsQuery } from '../../api/queries.ts'
import { useDocsUrl, useOrganization } from '../../api/session.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { IconCoinOff, IconInfinity, IconSpeakerphone } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { type LimitRow, limitSections, rateRows } from './limit-rows.ts'

/** The limits of this installation, that there are no charges, and where changes are announced. */
export function LimitsPage() {
  const { id } = useOrganization()
  const limitsPage = useDocsUrl('limits')
  const limits = useQuery(limitsQuery)
  const rates = limits.data === undefined ? [] : rateRows(limits.data)
  return (
    <>
      <PageHeader title="Limits">The limits of this service, for every organization.</PageHeader>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Fact icon={<IconInfinity aria-hidden />} title={rates.length > 0 ? 'Rate limits apply' : 'No rate limits'}>
          {rates.length > 0
            ? 'Beyond them, requests are answered with 429 and Retry-After. '
            : 'Every key can make as many requests as it needs. '}
          See your requests on{' '}
          <PageLink to="/app/o/$org/usage" params={{ org: id }} underline="always">
            the usage page
          </PageLink>
          .
        </Fact>
        <Fact icon={<IconCoinOff aria-hidden />} title="No charges">
          API keys are free and have full access. There's no subscription.
        </Fact>
        <Fact icon={<IconSpeakerphone aria-hidden />} title="No surprises">
          If we introduce paid tiers or limits, we announce them with their date under{' '}
          <Anchor inherit underline="always" href={limitsPage}>
            Limits and pricing
          </Anchor>{' '}
          before they take effect.
        </Fact>
      </SimpleGrid>
      <Space h="xl" />
      {limits.isPending && <LoadingRows rows={8} height={40} />}
      {limits.isError && <ErrorState error={limits.error} onRetry={() => limits.refetch()} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        {rates.length > 0 && <LimitTable title="Rate limits" rows={rates} />}
        {limits.data !== undefined &&
          limitSections(limits.data).map((section) => <LimitTable key={section.title} {...section} />)}
      </SimpleGrid>
    </>
  )
}

function LimitTable({ title, rows }: { title: string; rows: readonly LimitRow[] }) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <DataTable
        caption={title}
        dense
        columns={[
          { key: 'what', header: 'What', isRowHeader: true, render: ({ what }: LimitRow) => what },
          { key: 'limit', header: 'Limit', align: 'end', width: '40%', render: ({ limit }: LimitRow) => limit },
        ]}
        rows={rows}
        rowKey={({ what }) => what}
      />
    </section>
  )
}

function Fact(props: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Card>
      <ThemeIcon size={40} radius="md" variant="light" aria-hidden>
        {props.icon}
      </ThemeIcon>
      <Title order={2} mt="md" mb={4}>
        {props.title}
      </Title>
      <Text size="sm" c="dimmed">
        {props.children}
      </Text>
    </Card>
  )
}
