import { Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auditQuery } from '../../api/queries.ts'
import { PageLink } from '../../parts/links.tsx'
import { ErrorState, LoadingRows } from '../../parts/states.tsx'
import { AuditTable } from '../audit/AuditTable.tsx'

const SHOWN_MAX = 10

/** What was done to a key, from the organization's log. Only for those who may read it. */
export function KeyLog({ org, keyId }: { org: string; keyId: string }) {
  const log = useQuery(auditQuery(org, { subject: keyId, limit: SHOWN_MAX }))
  return (
    <section aria-labelledby="key-log">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="key-log">
          What was done to it
        </Title>
        <PageLink to="/app/o/$org/audit" params={{ org }} search={{ subject: keyId } as never} size="sm">
          Open in the audit log
        </PageLink>
      </Group>
      {log.isPending && <LoadingRows rows={2} />}
      {log.isError && !log.data && <ErrorState error={log.error} onRetry={log.refetch} />}
      {log.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          The log has nothing about this key.
        </Text>
      )}
      {log.data && log.data.length > 0 && (
        <AuditTable org={org} entries={log.data} caption="Log of this key" />
      )}
    </section>
  )
}
