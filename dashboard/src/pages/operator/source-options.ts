import { secretsIn } from '../../../../src/feeds/option-limits.ts'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'

/** How a publisher wants to be asked, row by row: names alone, never a value that could be told on. */
export function optionRows(
  options: NonNullable<SourceView['options']>,
): { name: string; names: readonly string[] }[] {
  const { headers = {}, query = {}, daysAhead, authorization } = options
  return [
    { name: 'Headers', names: Object.keys(headers) },
    { name: 'Query parameters', names: Object.keys(query) },
    { name: 'Days ahead', names: daysAhead === undefined ? [] : [String(daysAhead)] },
    { name: 'Authorization', names: authorization === undefined ? [] : [KIND_NAMES[authorization.kind]] },
    { name: 'Variables it needs', names: secretsIn(options) },
  ].filter(({ names }) => names.length > 0)
}

/** What the ways to a token are called. */
export const KIND_NAMES = {
  'client-credentials': 'Client credentials (OAuth 2.0)',
  'backend-services': 'SMART Backend Services',
} as const
