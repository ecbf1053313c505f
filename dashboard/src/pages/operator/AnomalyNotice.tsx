import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import { wordsOf } from '../../../../src/sync/anomaly-rules.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { formatCount } from '../../components/format.ts'
import { IconFileAlert } from '../../components/icons.tsx'
import { notifyError } from '../../components/notify.ts'
import { Timestamp } from '../../components/Timestamp.tsx'
import type { SourceMutations } from './use-source-mutations.ts'

type Accept = Pick<SourceMutations, 'accept'>

/** What is suspicious about a source, and the ways to say yes or no to it. Renders nothing where nothing is. */
export function AnomalyNotice({ source, changes }: { source: SourceView; changes: Accept }) {
  if (source.held !== undefined) {
    return source.accepting ? (
      <Accepting source={source} changes={changes} />
    ) : (
      <Held source={source} held={source.held} changes={changes} />
    )
  }
  return source.health === 'suspicious' ? <Served source={source} changes={changes} /> : null
}

type Snapshot = NonNullable<SourceView['held']>

function Held({ source, held, changes }: { source: SourceView; held: Snapshot; changes: Accept }) {
  const [asking, question] = useDisclosure()
  return (
    <Notice title="A snapshot is held back">
      <Text size="sm">{wordsOf(held.anomalies)}</Text>
      <Text size="sm">
        Callers are still served the {formatCount(source.slotCount)} slots from before. What is held first
        came <Timestamp at={held.sinceMs} as="ago" />, and last <Timestamp at={held.atMs} as="ago" />. As soon
        as the feed looks right again, it is taken in by itself.
      </Text>
      <Group gap="xs">
        <Button onClick={question.open}>Accept this snapshot</Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={question.close}
        title="Accept this snapshot?"
        cancelLabel="Keep holding"
        confirmLabel="Accept this snapshot"
        danger={held.after === 0}
        onConfirm={() => changes.accept(source.slug, true, held.sinceMs)}
      >
        {wordsOf(held.anomalies)} The feed is read once more, and what it publishes then is served in place of
        the {formatCount(source.slotCount)} slots that callers see now. If that is worse than what is held, it
        is held in turn.
      </ConfirmDialog>
    </Notice>
  )
}

/** A moment, unless the feed cannot be read. */
function Accepting({ source, changes }: { source: SourceView; changes: Accept }) {
  return (
    <Notice title="A snapshot is accepted">
      <Text size="sm">
        You said yes: what the feed publishes at its next sync is served, unless it is worse than what was
        held.
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          onClick={() =>
            changes
              .accept(source.slug, false, source.held?.sinceMs ?? null)
              .catch((fault) => notifyError(fault))
          }
        >
          Keep holding
        </Button>
      </Group>
    </Notice>
  )
}

function Served({ source, changes }: { source: SourceView; changes: Accept }) {
  const [asking, question] = useDisclosure()
  return (
    <Notice title="What is served is suspicious">
      <Text size="sm">{source.healthWhy}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={question.open}>
          This is as it should be
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={question.close}
        title="Is this as it should be?"
        confirmLabel="Yes, it is"
        onConfirm={() => changes.accept(source.slug, true, null)}
      >
        {source.healthWhy} If you say yes, you are not told again for as long as it goes on. What is served
        stays as it is.
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
