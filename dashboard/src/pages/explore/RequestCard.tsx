import { Card, Text, Title } from '@mantine/core'
import { useMe, useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../parts/CodeTabs.tsx'
import { KEY_PLACEHOLDER, slotsCall } from '../../parts/code-samples.ts'
import { PageLink } from '../../parts/links.tsx'
import classes from './explore.module.css'
import { type ExploreState, slotParameters } from './explore-state.ts'

/** The request that the filters stand for, ready to be pasted elsewhere. */
export function RequestCard({ state }: { state: ExploreState }) {
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
