import { Outlet } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { NotYoursPage } from './problem-pages.tsx'

/** The operator's pages, or a word to whoever is not the operator. */
export function OperatorOnly() {
  return useMe().isOperator ? <Outlet /> : <NotYoursPage />
}
