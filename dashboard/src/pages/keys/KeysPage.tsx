import { Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { keysQuery } from '../../api/queries.ts'
import { useDocsUrl, useOrganization } from '../../api/session.ts'
import { IconBell, IconKey, IconPlus } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { KeysTable } from './KeysTable.tsx'
import { type KeyDialogs, useKeyDialogs } from './key-dialogs.tsx'
import { HINTS, isActiveKey, noticesOf } from './key-labels.ts'
import classes from './keys.module.css'

/** The organization's API keys: create, rotate, revoke. */
export function KeysPage() {
  const org = useOrganization()
  const safetyPage = useDocsUrl('key-safety')
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
        API keys give programs full access to the API on behalf of {org.name}. Keys are free. Treat them{' '}
        <Anchor href={safetyPage} inherit underline="always">
          like passwords
        </Anchor>
        .
      </PageHeader>
      {keys.isPending && <LoadingRows rows={4} height={64} />}
      {keys.isError && !keys.data && (
        <ErrorState error={keys.error} onRetry={keys.refetch} title="API keys could not be loaded" />
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
      title="Make your first request in a minute"
      action={
        <Button size="md" onClick={onCreate} leftSection={<IconPlus size={18} aria-hidden />}>
          Create your first key
        </Button>
      }
    >
      Create a key, run the example request in a terminal, and watch it arrive here.
    </EmptyState>
  )
}

function KeyList(props: { org: string; keys: readonly KeyView[]; dialogs: KeyDialogs }) {
  const { org, keys, dialogs } = props
  const [showsInactive, setShowsInactive] = useState(false)
  const active = keys.filter((key) => isActiveKey(key))
  const inactiveCount = keys.length - active.length
  const shown = showsInactive ? keys : active
  return (
    <Stack gap="md">
      <KeyNotices org={org} keys={active} />
      <Group justify="space-between" mih={28}>
        <Text size="sm" c="dimmed">
          {active.length === 1 ? '1 active key' : `${active.length} active keys`}
        </Text>
        {inactiveCount > 0 && (
          <Switch
            label={`Show ${inactiveCount} revoked or expired`}
            checked={showsInactive}
            onChange={(event) => setShowsInactive(event.currentTarget.checked)}
          />
        )}
      </Group>
      {shown.length > 0 ? (
        <KeysTable org={org} keys={shown} onRotate={dialogs.rotate} onRevoke={dialogs.revoke} />
      ) : (
        <EmptyState
          icon={<IconKey aria-hidden />}
          title="No active keys"
          action={<Button onClick={dialogs.create}>Create key</Button>}
        >
          All keys of this organization are revoked or expired, so it can't use the API.
        </EmptyState>
      )}
    </Stack>
  )
}

const NAMES_MAX = 4

/** The keys that need attention, with advice. Renders nothing if there are none. */
function KeyNotices({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const notices = noticesOf(keys)
  if (notices.length === 0) return null
  return (
    <div className={classes.notice} role="note" aria-label="Keys that need attention">
      <IconBell size={18} aria-hidden />
      <ul>
        {notices.map(({ hint, keys: named }) => (
          <li key={hint}>
            <b>{HINTS[hint].label}:</b> <KeyLinks org={org} keys={named} />. {HINTS[hint].advice}
          </li>
        ))}
      </ul>
    </div>
  )
}

function KeyLinks({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const more = keys.length - NAMES_MAX
  return (
    <>
      {keys.slice(0, NAMES_MAX).map((key, n) => (
        <Fragment key={key.id}>
          {n > 0 && ', '}
          <PageLink to="/app/o/$org/keys/$key" params={{ org, key: key.id }} inherit underline="always">
            {key.name}
          </PageLink>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}
