import { Text } from '@mantine/core'
import { Timestamp } from './Timestamp.tsx'

/** When something was created, and by whom. */
export function Created({ createdAtMs, createdBy }: { createdAtMs: number; createdBy?: string | undefined }) {
  return (
    <>
      <Timestamp at={createdAtMs} as="datetime" />
      {createdBy && (
        <Text size="xs" c="dimmed">
          {createdBy}
        </Text>
      )}
    </>
  )
}
