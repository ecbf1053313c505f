import { Anchor, Card, SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOptions, useOrganization } from '../../api/session.ts'
import { IconCoinOff, IconInfinity, IconSpeakerphone } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** There are no limits and no charges today; and where it would be said if that changed. */
export function LimitsPage() {
  const { id } = useOrganization()
  const docs = useOptions().docsUrl.replace(/\/$/, '')
  return (
    <>
      <PageHeader title="Limits">None today. Nothing is charged.</PageHeader>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Fact icon={<IconInfinity aria-hidden />} title="No rate limit">
          Every key may ask as often as it needs to. What you asked is on{' '}
          <PageLink to="/app/o/$org/usage" params={{ org: id }} underline="always">
            the usage page
          </PageLink>
          .
        </Fact>
        <Fact icon={<IconCoinOff aria-hidden />} title="No charges">
          Keys are free, each has full access, and there is nothing to subscribe to.
        </Fact>
        <Fact icon={<IconSpeakerphone aria-hidden />} title="No surprises">
          If paid tiers or limits ever come, they are announced, with their date, under{' '}
          <Anchor inherit underline="always" href={`${docs}/limits`}>
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
