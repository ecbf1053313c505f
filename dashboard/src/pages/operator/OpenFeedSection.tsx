import { Anchor, Card, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limitsQuery } from '../../api/queries.ts'
import { useDocsUrl } from '../../api/session.ts'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'

/** Whether anyone can read the published feed, and where. */
export function OpenFeedSection() {
  const limits = useQuery(limitsQuery)
  return (
    <Card component="section" aria-labelledby="open-feed">
      <Title order={2} id="open-feed" mb={4}>
        Open feed
      </Title>
      {limits.isPending && <LoadingBlock height={60} />}
      {limits.isError && <ErrorState error={limits.error} onRetry={() => limits.refetch()} />}
      {limits.data && <OpenFeedState url={limits.data.openFeedUrl} />}
    </Card>
  )
}

function OpenFeedState({ url }: { url: string | undefined }) {
  const page = useDocsUrl('republishing#open-feed')
  const about = (
    <Anchor href={page} underline="always" inherit>
      open feed
    </Anchor>
  )
  if (url === undefined)
    return (
      <Text size="sm">
        Off: reading all slots as one feed needs an API key. Set <code>OPEN_FEED=true</code> to let anyone read them
        without a key, from any program and web page: {about}.
      </Text>
    )
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      On: anyone can read all slots without a key, from any program and web page, at{' '}
      <Anchor href={url} underline="always" inherit>
        {url}
      </Anchor>
      . Set <code>OPEN_FEED=false</code> to require a key: {about}.
    </Text>
  )
}
