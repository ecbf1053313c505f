import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FeedCheckView } from '../../../../src/shared/feed-check-shapes.ts'
import { formatCount } from '../usage/figures.ts'
import { formatBytes } from './figures.ts'
import classes from './operator.module.css'

/** How far a check is, and a way to end it with what it has. */
export function CheckProgress({ check, onStop }: { check: FeedCheckView; onStop: () => Promise<unknown> }) {
  const [isStopping, setStopping] = useState(false)
  const { progress } = check
  const share = progress === undefined ? 0 : (progress.reading - 1) / Math.max(1, progress.readings)
  const stop = async () => {
    setStopping(true)
    await onStop().catch(() => setStopping(false))
  }
  return (
    <Card component="section" aria-label="Progress">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div className={classes.reason}>
            <Text size="sm" fw={600} role="status">
              {progress === undefined
                ? 'Asking for the manifest'
                : `File ${formatCount(progress.reading)} of ${formatCount(progress.readings)}`}
            </Text>
            <Text size="sm" c="dimmed">
              {progress &&
                `${formatCount(progress.lines)} lines, ${formatBytes(progress.bytes)}, ${formatCount(progress.errors)} errors so far`}
            </Text>
          </div>
          <Button variant="default" onClick={stop} loading={isStopping}>
            Stop
          </Button>
        </Group>
        <Progress value={Math.max(2, share * 100)} animated aria-label="How far the check is" />
      </Stack>
    </Card>
  )
}
