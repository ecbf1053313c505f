import { bulkFeed, deletionOf, next } from './bulk-feed.ts'
import { type Plant, set } from './plant.ts'
import type { Loose, PlantedFeed } from './planted-feed.ts'

const bulk = (rule: string, at: Plant['at'], plant: (feed: PlantedFeed) => void, more: Partial<Plant> = {}): Plant => ({
  rule,
  at,
  feed: bulkFeed,
  plant,
  ...more,
})

/** Changes the first page. */
const root = (rule: string, change: (manifest: Loose) => void) =>
  bulk(rule, ['manifest'], ({ manifest }) => change(manifest))

/** Changes a further page. */
const page = (name: string, rule: string, change: (manifest: Loose) => void, at: Plant['at'] = [name]) =>
  bulk(rule, at, ({ pages }) => change(pages.get(name) ?? {}))

/** Changes the lines of a further file. */
const lines = (name: string, rule: string, line: number, change: (resources: Loose[]) => void) =>
  bulk(rule, [name, line], ({ more }) => change(more.get(name) ?? []))

/** One error for each rule about pages, and errors on further pages. */
export const PAGE_PLANTS: readonly Plant[] = [
  root('manifest-type', set({ manifestType: 'BulkPublishManifest' })),
  root('manifest-type', (one) => delete one.manifestType),
  root('manifest-access-token-missing', (one) => delete one.requiresAccessToken),
  root('manifest-cadence-missing', (one) => delete one.updateCadence),
  root('manifest-cadence', set({ updateCadence: '5 minutes' })),
  root('manifest-link', set({ link: { relation: 'next', url: 'ORIGIN/page2' } })),
  root('manifest-link', set({ link: [...next('ORIGIN/page2'), ...next('ORIGIN/update')] })),
  root('manifest-link', set({ link: next('#soon') })),
  page('page2', 'manifest-link', set({ link: next(null) })),
  root('manifest-link-ignored', (one) => one.link.push({ relation: 'self', url: 'ORIGIN/$bulk-publish' })),
  bulk('manifest-pending-root', ['manifest'], ({ manifest, pages }) => {
    manifest.output.push(...(pages.get('page2')?.output ?? []))
    manifest.link = next('#pending')
  }),
  page('update', 'manifest-closed', set({ link: next('#closed') })),
  page('page2', 'manifest-page-differs', set({ requiresAccessToken: true })),
  page('page2', 'manifest-page-differs', (one) => delete one.updateCadence),
  page('update', 'manifest-page-earlier', set({ transactionTime: '2026-06-01T11:49:59Z' })),
  page('update', 'manifest-published-later', set({ transactionTime: '2026-06-01T12:10:00Z' })),
  page('update', 'manifest-page', set({ link: next('ORIGIN/page2') }), ['update']),
  page('update', 'manifest-page', set({ link: next('ORIGIN/gone') }), ['gone']),
  page('page2', 'output-url', set({ deleted: [{ url: 'ftp://publisher.example/deleted.ndjson' }] })),
  page('page2', 'output-type', (one) => one.output.push({ type: 'slots', url: 'ORIGIN/Slot.ndjson' })),
  page('update', 'output-listed-twice', (one) => one.output.push(structuredClone(one.output[0]))),
  page('update', 'output-count', (one) => set({ count: 2 })(one.deleted[0]), ['deleted']),
  page('page2', 'output-count', (one) => set({ count: 2 })(one.outcome[0]), ['outcome']),
  page('update', 'output-file-size', (one) => set({ fileSize: 1 })(one.output[0]), ['changes']),
  page('update', 'output-state-differs', (one) => set({ extension: { state: ['CA'] } })(one.output[0]), ['changes']),
  page('page2', 'outcome-entry', set({ outcome: [{ type: 'OperationOutcome' }] })),
  bulk('file-unreadable', ['deleted'], ({ more }) => void more.delete('deleted')),
  bulk('outcome-file', ['outcome'], ({ more }) => void more.delete('outcome')),
  lines('outcome', 'outcome-file', 1, ([one]) => set({ resourceType: 'Slot' })(one ?? {})),
  lines('outcome', 'outcome-issue', 1, ([one]) =>
    set({ issue: [{ severity: 'error', diagnostics: 'Schedule s7 could not be read' }] })(one ?? {}),
  ),
  lines('deleted', 'deleted-bundle-type', 1, ([one]) => set({ type: 'batch' })(one ?? {})),
  lines('deleted', 'deleted-bundle', 1, ([one]) =>
    set({ entry: [{ request: { method: 'DELETE', url: 'Slot?identifier=x4' } }] })(one ?? {}),
  ),
  lines('deleted', 'deleted-bundle', 1, ([one]) =>
    set({ entry: [{ request: { method: 'PUT', url: 'Slot/x4' } }] })(one ?? {}),
  ),
  lines('deleted', 'deleted-bundle', 2, (all) => all.push({ resourceType: 'Slot', id: 'x4' })),
  bulk('ndjson-json', ['deleted', 1], ({ texts }) => void texts.set('deleted', (all) => all.replace(':', '='))),
  bulk('outcome-file', ['outcome', 1], ({ texts }) => void texts.set('outcome', (all) => all.replace(':', '='))),
  bulk('deleted-unknown', ['feed'], ({ more }) => void more.get('deleted')?.push(deletionOf('Slot/x9'))),
  lines('changes', 'resource-version-repeated', 2, (all) => all.push(structuredClone(all[0] ?? {}))),
  lines('changes', 'slot-overbooked', 1, ([one]) => set({ status: 'free', overbooked: true })(one ?? {})),
  bulk('http-immutable', ['Slot'], ({ headers }) => void headers.set('Slot', { 'cache-control': 'max-age=60' })),
  bulk('http-validator', ['Slot'], ({ headers }) => {
    headers.set('Slot', { 'cache-control': 'max-age=60', etag: undefined })
  }),
  bulk('http-manifest-type', ['page2'], ({ headers }) => void headers.set('page2', { 'content-type': 'text/plain' })),
  bulk('http-not-modified', ['update'], ({ headers }) => void headers.set('update', { 'x-ignores-validators': 'yes' })),
]
