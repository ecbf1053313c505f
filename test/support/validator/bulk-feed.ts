import { BULK } from '../feeds/smart-links-reader.ts'
import { type Loose, PlantedFeed } from './planted-feed.ts'

/**
 * A valid feed of Bulk Publish 4: two pages with a snapshot of four slots, and an update that books `x1` and deletes `x4`.
 *
 *     $bulk-publish          page2              update
 *     Location, Schedule … ─► Slot, outcome  ─► changes, deleted ─► #pending
 */
export function bulkFeed(): PlantedFeed {
  const feed = new PlantedFeed('stu1')
  const { manifest, files, pages, more } = feed
  feed.isImmutable = true
  const first = feed.resource('Slot')
  const deleted = { ...first, id: 'x4', start: '2026-06-10T14:00:00-04:00', end: '2026-06-10T14:20:00-04:00' }
  files.Slot?.push(structuredClone(deleted))
  more.set('changes', [{ ...structuredClone(first), status: 'busy' }])
  more.set('deleted', [deletionOf('Slot/x4')])
  more.set('outcome', [
    { resourceType: 'OperationOutcome', issue: [{ severity: 'information', code: 'informational' }] },
  ])
  const { output } = manifest
  const common = {
    ...BULK,
    transactionTime: '2026-06-01T11:50:00Z',
    updateCadence: 'PT5M',
    requiresAccessToken: false,
  }
  delete manifest.request
  delete manifest.error
  Object.assign(manifest, common, { output: output.slice(0, -1), link: next('ORIGIN/page2') })
  const outcome = [{ url: 'ORIGIN/outcome.ndjson', count: 1 }]
  pages.set('page2', { ...common, output: [{ ...output.at(-1), count: 4 }], outcome, link: next('ORIGIN/update') })
  pages.set('update', {
    ...common,
    transactionTime: '2026-06-01T11:59:00Z',
    output: [{ ...output.at(-1), url: 'ORIGIN/changes.ndjson', count: 1 }],
    deleted: [{ url: 'ORIGIN/deleted.ndjson', count: 1 }],
    link: next('#pending'),
  })
  return feed
}

/** A link to the next page. */
export function next(url: unknown): Loose[] {
  return [{ relation: 'next', url }]
}

/** A Bundle that deletes a resource. */
export function deletionOf(url: string): Loose {
  return { resourceType: 'Bundle', type: 'transaction', entry: [{ request: { method: 'DELETE', url } }] }
}
