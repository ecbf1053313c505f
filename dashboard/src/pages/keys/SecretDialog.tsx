import { Title } from '@mantine/core'
import type { NewKey } from '../../../../src/shared/contract/keys.ts'
import { useOptions } from '../../api/session.ts'
import { CodeTabs } from '../../components/CodeTabs.tsx'
import { SAMPLE_SEARCH, slotsCall } from '../../components/code-samples.ts'
import { isolated } from '../../components/names.ts'
import { FirstRequest } from './FirstRequest.tsx'
import { OneTimeSecret } from './OneTimeSecret.tsx'

/** Shows a new key once, with a request that is ready to run. */
export function SecretDialog(props: { opened: boolean; org: string; created: NewKey; onClose: () => void }) {
  const { org, created } = props
  const { baseUrl } = useOptions()
  return (
    <OneTimeSecret
      opened={props.opened}
      onClose={props.onClose}
      title={`Your new key “${isolated(created.key.name)}”`}
      label="API key"
      variable="SLOTS_API_KEY"
      secret={created.secret}
      warning="We store only a hash. Keep it like a password: on a server, never in source control or in a browser."
    >
      <Title order={3}>Try it</Title>
      <CodeTabs samples={slotsCall({ baseUrl, search: SAMPLE_SEARCH, apiKey: created.secret })} />
      <FirstRequest org={org} keyView={created.key} />
    </OneTimeSecret>
  )
}
