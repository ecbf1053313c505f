import { Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyView } from '../../../../src/shared/shapes.ts'
import { keysQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../parts/states.tsx'
import { useDocsPage } from './docs-page.ts'
import { KeyNotices } from './KeyNotices.tsx'
import { KeysTable } from './KeysTable.tsx'
import { type KeyDialogs, useKeyDialogs } from './key-dialogs.tsx'

/** The keys of the organization: to make, rotate and revoke them, and to see which of them ask for attention. */
export function KeysPage() {
  const org = useOrganization()
  const safetyPage = useDocsPage('key-safety')
  const keys = useQuery({ ...keysQuery(org.id), refetchInterval: 15_000 })
  const isFirst = keys.data?.length === 0
  const dialogs = useKeyDialogs({ org: org.id, suggestedName: isFirst ? 'My first key' : '' })
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialogs.create}>
            Create key
          </Button>
        }
      >
        A key gives a program full access to the API, in the name of {org.name}. Keys are free. Treat them{' '}
        <Anchor href={safetyPage} inherit underline="always">
          as passwords
        </Anchor>
        .
      </PageHeader>
      {keys.isPending && <LoadingRows rows={4} height={64} />}
      {keys.isError && !keys.data && (
        <ErrorState error={keys.error} onRetry={keys.refetch} title="The keys could not be loaded" />
      )}
      {isFirst && <NoKeysYet onCreate={dialogs.create} />}
      {keys.data && !isFirst && <KeyList org={org.id} keys={keys.data} dialogs={dialogs} />}
      {dialogs.element}
    </>
  )
}

function NoKeysYet({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<IconKey aria-hidden />}
      title="Your first call is a minute away"
      action={
        <Button size="md" onClick={onCreate} leftSection={<IconPlus size={18} aria-hidden />}>
          Create your first key
        </Button>
      }
    >
      Create a key, paste the call that we show beside it into a terminal, and watch the answer arrive here.
    </EmptyState>
  )
}

function KeyList(props: { org: string; keys: readonly KeyView[]; dialogs: KeyDialogs }) {
  const { org, keys, dialogs } = props
  const [showsEnded, setShowsEnded] = useState(false)
  const live = keys.filter((key) => key.status === 'active')
  const endedCount = keys.length - live.length
  const shown = showsEnded ? keys : live
  return (
    <Stack gap="md">
      <KeyNotices org={org} keys={live} />
      <Group justify="space-between" mih={28}>
        <Text size="sm" c="dimmed">
          {live.length === 1 ? '1 active key' : `${live.length} active keys`}
        </Text>
        {endedCount > 0 && (
          <Switch
            label={`Show ${endedCount} revoked or expired`}
            checked={showsEnded}
            onChange={(event) => setShowsEnded(event.currentTarget.checked)}
          />
        )}
      </Group>
      {shown.length > 0 ? (
        <KeysTable org={org} keys={shown} onRotate={dialogs.rotate} onRevoke={dialogs.revoke} />
      ) : (
        <EmptyState
          icon={<IconKey aria-hidden />}
          title="No active key"
          action={<Button onClick={dialogs.create}>Create a key</Button>}
        >
          All keys of this organization are revoked or expired, so the API answers nobody in its name.
        </EmptyState>
      )}
    </Stack>
  )
}
