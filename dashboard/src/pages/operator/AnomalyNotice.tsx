import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import { IconFileAlert } from '../../components/icons.tsx'
import { notifyError } from '../../components/notify.ts'
import { Timestamp } from '../../components/Timestamp.tsx'
import { HeldComparison } from './HeldComparison.tsx'
import { IfOperator } from './IfOperator.tsx'
import type { SourceMutations } from './use-source-mutations.ts'

type Approve = Pick<SourceMutations, 'accept'>

/** The anomalies of a source and the actions to approve them. Renders nothing without anomalies. */
export function AnomalyNotice({ source, changes }: { source: SourceView; changes: Approve }) {
  if (source.held !== undefined) {
    return source.accepting ? (
      <ApprovalPending source={source} changes={changes} />
    ) : (
      <HeldNotice source={source} held={source.held} changes={changes} />
    )
  }
  return source.health === 'suspicious' ? <AnomalyServed source={source} changes={changes} /> : null
}

type Snapshot = NonNullable<SourceView['held']>

function HeldNotice({ source, held, changes }: { source: SourceView; held: Snapshot; changes: Approve }) {
  const [opened, dialog] = useDisclosure()
  return (
    <Notice title="Snapshot held for review">
      <Text size="sm">{held.why}</Text>
      <Text size="sm">
        The slots of the previous snapshot ({formatCount(source.slotCount)}) stay available. The snapshot was first held{' '}
        <Timestamp at={held.sinceMs} as="ago" /> and last seen <Timestamp at={held.atMs} as="ago" />. If the feed
        recovers, it is applied automatically.
      </Text>
      {held.comparison && <HeldComparison comparison={held.comparison} />}
      <IfOperator>
        <Group gap="xs">
          <Button onClick={dialog.open}>Approve snapshot</Button>
        </Group>
      </IfOperator>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title="Approve this snapshot?"
        cancelLabel="Keep holding"
        confirmLabel="Approve snapshot"
        danger={held.after === 0}
        onConfirm={() => changes.accept(source.slug, true, held.sinceMs)}
      >
        {held.why} The feed is synced again, and its snapshot replaces the current one, with{' '}
        {formatNumberOf(source.slotCount, 'slot')}. If the new snapshot is worse than the held one, it is held for
        review as well.
      </ConfirmDialog>
    </Notice>
  )
}

/** Shown until the next sync succeeds. */
function ApprovalPending({ source, changes }: { source: SourceView; changes: Approve }) {
  return (
    <Notice title="Snapshot approved">
      <Text size="sm">
        The held snapshot was approved. The next sync publishes the feed's data unless it is worse than the held
        snapshot.
      </Text>
      <IfOperator>
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() =>
              changes.accept(source.slug, false, source.held?.sinceMs ?? null).catch((error) => notifyError(error))
            }
          >
            Keep holding
          </Button>
        </Group>
      </IfOperator>
    </Notice>
  )
}

function AnomalyServed({ source, changes }: { source: SourceView; changes: Approve }) {
  const [opened, dialog] = useDisclosure()
  return (
    <Notice title="The published data is suspicious">
      <Text size="sm">{source.healthWhy}</Text>
      <IfOperator>
        <Group gap="xs">
          <Button variant="default" onClick={dialog.open}>
            Mark as expected
          </Button>
        </Group>
      </IfOperator>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title="Mark this as expected?"
        confirmLabel="Mark as expected"
        onConfirm={() => changes.accept(source.slug, true, null)}
      >
        {source.healthWhy} You won't be alerted about it again while it lasts. The published data doesn't change.
      </ConfirmDialog>
    </Notice>
  )
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="red" icon={<IconFileAlert aria-hidden />} title={title}>
      <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Stack>
    </Alert>
  )
}
