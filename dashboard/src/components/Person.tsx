import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMe } from '../api/session.ts'

/** The name of a person, which may be a link, above the email address, in a table. */
export function Person({ userId, email, children }: { userId: string; email: string; children: ReactNode }) {
  const isMe = useMe().userId === userId
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={600}>
        {children}
        {isMe && (
          <Text span c="dimmed" fw={400}>
            {' '}
            (you)
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </div>
  )
}
