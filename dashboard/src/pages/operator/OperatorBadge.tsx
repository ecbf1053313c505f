import { Badge } from '@mantine/core'
import type { OperatorRole } from '../../../../src/shared/permissions.ts'
import { IconEye, IconShieldCheck } from '../../components/icons.tsx'

/** The role of an operator or a viewer. */
export function OperatorBadge({ role }: { role: OperatorRole }) {
  const isOperator = role === 'operator'
  const Icon = isOperator ? IconShieldCheck : IconEye
  return (
    <Badge
      variant="light"
      tt="none"
      leftSection={<Icon size={13} aria-hidden />}
      {...(!isOperator && { color: 'gray' })}
    >
      {isOperator ? 'Operator' : 'Viewer'}
    </Badge>
  )
}
