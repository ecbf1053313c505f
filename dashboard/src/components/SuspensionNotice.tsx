import { Alert, Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Suspension } from '../../../src/shared/contract/suspension.ts'
import { IconBan } from './icons.tsx'
import { Timestamp } from './Timestamp.tsx'

/** Says since when, by whom and why an organization or an account is suspended. The children say what that means. */
export function SuspensionNotice({
  title,
  suspension: { atMs, by, reason },
  children,
}: {
  title: string
  suspension: Suspension
  children: ReactNode
}) {
  return (
    <Alert color="red" icon={<IconBan aria-hidden />} title={title} mb="lg">
      <div>
        <b>Reason:</b> <bdi>{reason}</bdi>
      </div>
      <div>
        Suspended <Timestamp at={atMs} /> by {by === 'command line' ? 'the operator' : <bdi>{by}</bdi>}. {children}
      </div>
    </Alert>
  )
}

/** Marks a suspended organization or account in lists. */
export function SuspendedBadge() {
  return (
    <Badge variant="light" color="red" tt="none">
      Suspended
    </Badge>
  )
}
