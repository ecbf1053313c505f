import type { SourceView } from '../../../../src/account/source-shapes.ts'
import type { SyncOutcome } from '../../../../src/store/source-store.ts'
import { formatAgo } from '../../parts/time.ts'
import { formatCount, formatShare } from '../usage/figures.ts'

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

/** The same with the numbers that led to it, in a sentence. */
export function flagReason(flag: Flag, source: SourceView, nowMs: number): string {
  const { lastSync, changedAtMs } = source
  switch (flag) {
    case 'failing':
      return [inARow(source.failures), lastSync?.error].filter(Boolean).join(': ')
    case 'empty':
      return 'It had slots and has none. The publisher lists nothing, or everything was rejected.'
    case 'stale':
      return `${lastChange(changedAtMs, nowMs)} That is longer than usual.`
    case 'suspicious':
    case 'late':
      return source.healthWhy ?? ''
    case 'rejecting':
      return rejectedWords(lastSync)
    case 'never-synced':
      return source.paused ? 'It is paused. Resume it to read it.' : 'Its first sync is due.'
  }
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

function inARow(failures: number): string {
  return failures > 1 ? `Failed ${formatCount(failures)} times in a row` : ''
}

function lastChange(changedAtMs: number | undefined, nowMs: number): string {
  if (changedAtMs === undefined) return 'It never changed.'
  return `The last change was ${formatAgo(new Date(changedAtMs), nowMs)}.`
}

function rejectedWords(sync: SyncOutcome | undefined): string {
  if (sync === undefined || sync.rejected === 0)
    return 'More than 1 % of the lines were rejected when it was last read.'
  return `${formatCount(sync.rejected)} of ${formatCount(sync.read)} lines were rejected (${formatShare(sync.rejected, sync.read)}).`
}
