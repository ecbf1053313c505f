import { Anchor, Card, SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDocsUrl, useOrganization } from '../../api/session.ts'
import { IconCoinOff, IconInfinity, IconSpeakerphone } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** States that there are no charges, when there are rate limits, and where changes are announced. */
export function LimitsPage() {
  const { id } = useOrganization()
  const limitsPage = useDocsUrl('limits')
  return (
    <>
      <PageHeader title="Limits">There are no charges, and no rate limits unless the responses name them.</PageHeader>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Fact icon={<IconInfinity aria-hidden />} title="No rate limit by default">
          Every key can make as many requests as it needs, unless responses have the header RateLimit-Policy. See your
          requests on{' '}
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
    </>
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
