import type { ReactNode } from 'react'
import { useIsOperator } from '../../api/session.ts'

/** Controls that change something: viewers do not see them. */
export function IfOperator({ children }: { children: ReactNode }) {
  return useIsOperator() ? children : null
}
