import { secretsIn } from '../../../../src/feeds/option-limits.ts'
import type { SourceActionView, SourceView } from '../../../../src/shared/source-shapes.ts'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
import type { SourceField } from '../../../../src/store/contracts/source-log.ts'
import type { SyncOutcome } from '../../../../src/store/contracts/source-store.ts'
import type { ReviewPolicy } from '../../../../src/store/contracts/source-watch.ts'
import { formatCount, formatShare } from '../../components/format.ts'

export type Flag = SourceView['flags'][number]

/** How grave a flag is: the first stands out most. */
const GRAVITY: readonly Flag[] = [
  'failing',
  'suspicious',
  'empty',
  'late',
  'stale',
  'rejecting',
  'never-synced',
]

/** What a flag is called. */
export const FLAG_NAMES: Readonly<Record<Flag, string>> = {
  failing: 'Failing',
  suspicious: 'Suspicious',
  late: 'Late',
  empty: 'Suddenly empty',
  stale: 'Stale',
  rejecting: 'Rejecting lines',
  'never-synced': 'Not synced yet',
}

/** What the health of a source is called. */
export const HEALTH_NAMES: Readonly<Record<SourceHealth, string>> = {
  paused: 'Paused',
  'never-synced': 'Not synced yet',
  failing: 'Failing',
  suspicious: 'Suspicious',
  late: 'Late',
  stale: 'Stale',
  healthy: 'Healthy',
}

/** What a format is called. */
export const FORMAT_NAMES: Readonly<Record<SourceView['format'], string>> = {
  'smart-links': 'SMART Scheduling Links',
  'fhir-search': 'FHIR server',
  files: 'Imported files',
}

/** Which snapshots wait for a yes, in words. */
export const HOLD_NAMES: Readonly<Record<ReviewPolicy, string>> = {
  nothing: 'Nothing',
  emptied: 'What is suddenly empty',
  suspicious: 'Whatever is suspicious',
}

/** What a sync's outcome is called. */
export const OUTCOME_NAMES: Readonly<Record<SyncOutcome['outcome'], string>> = {
  ok: 'Ok',
  partial: 'Partial',
  held: 'Held',
  failed: 'Failed',
}

/** What needs a look comes first, gravest first; then the rest by name. A paused source waits at the end of its kind. */
export function sortSources(sources: readonly SourceView[]): SourceView[] {
  return sources.toSorted(
    (a, b) =>
      gravityOf(a) - gravityOf(b) || Number(a.paused) - Number(b.paused) || a.slug.localeCompare(b.slug),
  )
}

/** True if somebody should look at it. A source that was just added only needs a moment. */
export function needsAttention(source: SourceView): boolean {
  return source.flags.some((flag) => flag !== 'never-synced')
}

/** What the list of sources may be narrowed to. */
export type SourceFilter = SourceHealth | 'attention'

/** Each narrowing that something is left of, with how much; what needs a look is the first. */
export function sourceFilterCounts(sources: readonly SourceView[]): { to: SourceFilter; count: number }[] {
  const all: SourceFilter[] = ['attention', ...(Object.keys(HEALTH_NAMES) as SourceHealth[])]
  return all.map((to) => ({ to, count: filterSources(sources, to).length })).filter(({ count }) => count > 0)
}

/** True of a word that the list may be narrowed to. */
export function isSourceFilter(word: string): word is SourceFilter {
  return word === 'attention' || Object.hasOwn(HEALTH_NAMES, word)
}

/** Those that are so; all of them for the empty word. */
export function filterSources(sources: readonly SourceView[], to: SourceFilter | ''): readonly SourceView[] {
  if (to === 'attention') return sources.filter(needsAttention)
  return to === '' ? sources : sources.filter(({ health }) => health === to)
}

/** Why it stands out, in a sentence or more: of its health, the service's own words. */
export function flagReason(flag: Flag, source: SourceView): string {
  if (flag === 'empty')
    return 'It had slots and has none. The publisher lists nothing, or everything was rejected.'
  return flag === 'rejecting' ? rejectedWords(source.lastSync) : (source.healthWhy ?? '')
}

/** True if it is to be synced now, or is being synced: whoever shows it should look again soon. */
export function isDue({ format, paused, nextSyncAtMs }: SourceView, nowMs: number): boolean {
  return format !== 'files' && !paused && nextSyncAtMs <= nowMs
}

/** `publisher.example/smart/$bulk-publish`: the address without what is the same everywhere. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, '').replaceAll('%24', '$')
}

/** What a source may be called after its address: `https://feeds.north-gate.example/x` is `north-gate`. Empty if the address says nothing. */
export function suggestSlug(address: string): string {
  const host = URL.parse(address.trim())?.hostname ?? ''
  if (!/[a-z]/.test(host)) return ''
  const parts = host.split('.')
  const named = parts.slice(0, -1).filter((part) => !GENERIC.has(part))
  const name = named[named.length - 1] ?? parts[0]
  return (name ?? '')
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
}

/** Parts of a host that name nobody. */
const GENERIC: ReadonlySet<string> = new Set(['www', 'co', 'org', 'com'])

function gravityOf(source: SourceView): number {
  const ranks = source.flags.map((flag) => GRAVITY.indexOf(flag))
  return ranks.length === 0 ? GRAVITY.length : Math.min(...ranks)
}

function rejectedWords(sync: SyncOutcome | undefined): string {
  if (sync === undefined || sync.rejected === 0)
    return 'More than 1 % of the lines were rejected when it was last read.'
  return `${formatCount(sync.rejected)} of ${formatCount(sync.read)} lines were rejected (${formatShare(sync.rejected, sync.read)}).`
}

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

/** What an operator did, in words: which fields, never what they were. */
export function actionLabel({ kind, fields, reviewPolicy }: SourceActionView): string {
  if (fields !== undefined)
    return `${ACTION_NAMES[kind]}: ${fields.map((field) => FIELD_NAMES[field]).join(', ')}`
  if (reviewPolicy !== undefined) return `${ACTION_NAMES[kind]}: ${HOLD_NAMES[reviewPolicy].toLowerCase()}`
  return ACTION_NAMES[kind]
}

const ACTION_NAMES: Readonly<Record<SourceActionView['kind'], string>> = {
  added: 'Added',
  edited: 'Edited',
  paused: 'Paused',
  resumed: 'Resumed',
  'hold-chosen': 'Held back from then on',
  accepted: 'Said yes to what was suspicious',
  'accept-withdrawn': 'Took the yes back',
  imported: 'Imported a file',
  removed: 'Removed, with its slots',
}

const FIELD_NAMES: Readonly<Record<SourceField, string>> = {
  name: 'name',
  url: 'address',
  headers: 'headers',
  query: 'query parameters',
  daysAhead: 'days ahead',
  authorization: 'authorization',
  strict: 'strictness',
  everyMinutes: 'interval',
}
