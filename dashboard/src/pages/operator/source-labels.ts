import type { SourceActionView, SourceView, SyncView } from '../../../../src/shared/contract/sources.ts'
import { secretsIn } from '../../../../src/shared/source-fields.ts'
import type { BatchAction, ReviewPolicy, ServerKind, SourceField } from '../../../../src/shared/source-vocabulary.ts'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
import { formatCount, formatNumberOf, formatShare } from '../../components/format.ts'

export type Flag = SourceView['flags'][number]

/** Labels of the flags. */
export const FLAG_LABELS: Readonly<Record<Flag, string>> = {
  failing: 'Failing',
  suspicious: 'Suspicious',
  late: 'Late',
  empty: 'Suddenly empty',
  stale: 'Stale',
  rejecting: 'Rejecting lines',
  'never-synced': 'Not synced yet',
}

/** Labels of the health states. */
export const HEALTH_LABELS: Readonly<Record<SourceHealth, string>> = {
  paused: 'Paused',
  'never-synced': 'Not synced yet',
  failing: 'Failing',
  suspicious: 'Suspicious',
  late: 'Late',
  stale: 'Stale',
  healthy: 'Healthy',
}

/** Labels of the formats. */
export const FORMAT_LABELS: Readonly<Record<SourceView['format'], string>> = {
  'smart-links': 'SMART Scheduling Links',
  'fhir-search': 'FHIR server',
  files: 'Imported files',
}

/** Which snapshots are held for review. */
export const REVIEW_POLICY_LABELS: Readonly<Record<ReviewPolicy, string>> = {
  nothing: 'Never',
  extreme: 'When empty, ten times as large, without states or mostly rejected',
  suspicious: 'When suspicious',
}

/** Labels of the sync outcomes. */
export const OUTCOME_LABELS: Readonly<Record<SyncView['outcome'], string>> = {
  ok: 'OK',
  partial: 'Partial',
  held: 'Held',
  failed: 'Failed',
}

/** Labels of the actions on many sources. */
export const BATCH_LABELS: Readonly<Record<BatchAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  sync: 'Sync now',
  check: 'Check',
  remove: 'Remove…',
}

/** "1 source", "2,000 sources". */
export function countSources(count: number): string {
  return formatNumberOf(count, 'source')
}

/** The outcome of an action on sources. */
export function batchDone(action: BatchAction, count: number): string {
  const sources = countSources(count)
  const texts: Readonly<Record<BatchAction, string>> = {
    pause: `Paused ${sources}. Their slots stay available.`,
    resume: `Resumed ${sources}.`,
    sync: `Syncing ${sources}…`,
    check: `The manifests of ${sources} are readable.`,
    remove: `Removed ${sources}.`,
  }
  return texts[action]
}

/** The reason of a flag. Reasons of health flags come from the server. */
export function flagReason(flag: Flag, source: SourceView): string {
  if (flag === 'empty') return 'It had slots and now has none. The publisher lists none, or all lines were rejected.'
  return flag === 'rejecting' ? rejectedReason(source.lastRead) : (source.healthWhy ?? '')
}

/** The lines of the current snapshot that are rejected, or withheld as test data. */
export function lineNotes({ lastRead }: Pick<SourceView, 'lastRead'>): string {
  const notes = [
    lastRead !== undefined && lastRead.rejected > 0 && `${formatNumberOf(lastRead.rejected, 'line')} rejected`,
    lastRead?.testSlots !== undefined && `${formatNumberOf(lastRead.testSlots, 'line')} of test data`,
  ]
  return notes.filter((note) => note !== false).join(', ')
}

/** True if the source is due for a sync or is being synced. */
export function isDue({ format, paused, nextSyncAtMs }: SourceView, nowMs: number): boolean {
  return format !== 'files' && !paused && nextSyncAtMs <= nowMs
}

/** A URL without its scheme: `publisher.example/smart/$bulk-publish`. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replaceAll('%24', '$')
}

/** The usual URL of the manifest of a feed at this URL; undefined if it is that already. */
export function manifestUrl(address: string): string | undefined {
  const url = URL.parse(address.trim())
  if (url === null || url.pathname.endsWith('/$bulk-publish')) return undefined
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/$bulk-publish`
  url.search = ''
  url.hash = ''
  return url.href
}

/** Suggests a slug from a URL: `https://feeds.north-gate.example/x` gives `north-gate`. Empty if there is no host name. */
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

/** Host parts that do not name a publisher. */
const GENERIC: ReadonlySet<string> = new Set(['www', 'co', 'org', 'com'])

function rejectedReason(sync: SyncView | undefined): string {
  if (sync === undefined || sync.rejected === 0) return 'More than 1% of the lines were rejected.'
  return `${formatCount(sync.rejected)} of ${formatNumberOf(sync.read, 'line')} ${sync.read === 1 ? 'was' : 'were'} rejected (${formatShare(sync.rejected, sync.read)}).`
}

/** The request options of a source, names only. */
export function optionRows(options: NonNullable<SourceView['options']>): { name: string; names: readonly string[] }[] {
  const { headers = {}, query = {}, daysAhead, server, serveTestData, rejectedPercentMax, authorization } = options
  return [
    { name: 'Headers', names: Object.keys(headers) },
    { name: 'Query parameters', names: Object.keys(query) },
    { name: 'Days ahead', names: daysAhead === undefined ? [] : [String(daysAhead)] },
    { name: 'Server', names: server === undefined ? [] : [SERVER_LABELS[server]] },
    { name: 'Test data', names: serveTestData === true ? ['Served'] : [] },
    { name: 'Rejected lines', names: rejectedPercentMax === undefined ? [] : [`At most ${rejectedPercentMax}%`] },
    {
      name: 'Authorization',
      names: authorization === undefined ? [] : [AUTHORIZATION_LABELS[authorization.kind]],
    },
    { name: 'Required variables', names: secretsIn(options) },
  ].filter(({ names }) => names.length > 0)
}

/** Labels of FHIR servers with a profile. */
export const SERVER_LABELS: Readonly<Record<ServerKind, string>> = {
  oracle: 'Oracle Health Millennium',
  epic: 'Epic',
  hapi: 'HAPI FHIR',
  'gp-connect': 'GP Connect',
}

/** Labels of the authorization methods. */
export const AUTHORIZATION_LABELS = {
  'client-credentials': 'Client credentials (OAuth 2.0)',
  'backend-services': 'SMART Backend Services',
} as const

/** An operator's action in words; names of fields, never values. */
export function actionLabel({ kind, fields, reviewPolicy }: SourceActionView): string {
  if (fields !== undefined) return `${ACTION_LABELS[kind]}: ${fields.map((field) => FIELD_LABELS[field]).join(', ')}`
  if (reviewPolicy !== undefined) return `${ACTION_LABELS[kind]}: ${REVIEW_POLICY_LABELS[reviewPolicy].toLowerCase()}`
  return ACTION_LABELS[kind]
}

const ACTION_LABELS: Readonly<Record<SourceActionView['kind'], string>> = {
  added: 'Added',
  edited: 'Edited',
  paused: 'Paused',
  resumed: 'Resumed',
  'review-policy-set': 'Hold for review',
  approved: 'Approved suspicious data',
  'approval-withdrawn': 'Withdrew the approval',
  imported: 'Imported a file',
  removed: 'Removed with its slots',
}

const FIELD_LABELS: Readonly<Record<SourceField, string>> = {
  name: 'name',
  url: 'URL',
  headers: 'headers',
  query: 'query parameters',
  daysAhead: 'days ahead',
  server: 'server',
  serveTestData: 'test data',
  rejectedPercentMax: 'limit of rejected lines',
  authorization: 'authorization',
  strict: 'strictness',
  everyMinutes: 'interval',
  slotsMax: 'limit of slots',
}
