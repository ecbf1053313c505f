import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { formatCount } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import classes from './operator.module.css'
import { BATCH_LABELS, countSources } from './source-labels.ts'
import type { BatchFailures } from './use-source-batch.ts'

/** Sources that are named for each message. */
const NAMED_MAX = 5

/** The sources that could not be changed, by the reason. */
export function BatchFailuresDialog({
  failures,
  onClose,
}: {
  failures: BatchFailures | undefined
  onClose: () => void
}) {
  return (
    <Modal
      opened={failures !== undefined}
      onClose={onClose}
      size="lg"
      title={
        failures && `${BATCH_LABELS[failures.action].replace('…', '')}: ${countSources(failures.failed.length)} failed`
      }
    >
      <Stack gap="md">
        <ul className={classes.examples}>
          {byMessage(failures?.failed ?? []).map(([message, slugs]) => (
            <li key={message}>
              <Text size="sm" fw={600}>
                {message}
              </Text>
              <Text size="sm">
                {slugs.slice(0, NAMED_MAX).map((slug, n) => (
                  <span key={slug}>
                    {n > 0 && ', '}
                    <PageLink to="/app/operator/sources/$slug" params={{ slug }}>
                      {slug}
                    </PageLink>
                  </span>
                ))}
                {slugs.length > NAMED_MAX && ` and ${formatCount(slugs.length - NAMED_MAX)} more`}
              </Text>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function byMessage(failed: BatchFailures['failed']): [message: string, slugs: string[]][] {
  const found = new Map<string, string[]>()
  for (const { slug, message } of failed) {
    const text = message.replaceAll(slug, '…')
    found.set(text, [...(found.get(text) ?? []), slug])
  }
  return [...found].sort(([, a], [, b]) => b.length - a.length)
}
