import assert from 'node:assert/strict'
import { FeedFailure, type Source } from '../../../src/feeds/connector.ts'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import type { CheckReport } from '../../../src/shared/contract/feed-checks.ts'
import { isTestData } from '../../../src/slot/test-data.ts'
import { type CheckOptions, checkFeed } from '../../../src/validator/check-feed.ts'
import { webFeed } from '../../../src/validator/web-feed.ts'
import { RecordedDraft } from '../feeds/recorded-draft.ts'
import { NOW_MS, type PlantedFeed } from './planted-feed.ts'

const signal = () => AbortSignal.timeout(240_000)

/** Checks a feed on loopback, at the time of planted feeds. */
export function checkUrl(url: string, options: CheckOptions = {}): Promise<CheckReport> {
  return checkFeed(webFeed(url, { allowPrivate: true }, signal()), { clock: () => NOW_MS, ...options })
}

/** Publishes a feed and checks it. */
export async function checkPlanted(feed: PlantedFeed, options?: CheckOptions): Promise<CheckReport> {
  await using publisher = await feed.publish()
  return await checkUrl(publisher.origin + feed.path, options)
}

/** The rules that a feed violates. */
export const rulesOf = ({ findings }: CheckReport) => findings.map(({ rule }) => rule)

/** Publishes a feed, checks it and syncs it; `synced` is undefined if the sync fails. */
export async function checkAndSync(feed: PlantedFeed, strict = false) {
  await using publisher = await feed.publish()
  const url = publisher.origin + feed.path
  const report = await checkUrl(url, { strict })
  const source: Source = { slug: 'planted', format: 'smart-links', url, options: {}, strict }
  const draft = new RecordedDraft()
  const synced = await smartLinks({ allowPrivate: true })
    .read(source, draft, signal())
    .then(() => draft, ignoreFeedFailure)
  return { report, synced, origin: publisher.origin, url }
}

function ignoreFeedFailure(error: unknown): undefined {
  if (!(error instanceof FeedFailure)) throw error
}

/** Asserts that every Slot line is counted once, with the same outcome as in a sync. */
export function assertAgrees({ lines, unreadable }: CheckReport, synced: RecordedDraft | undefined): void {
  assert.equal(lines.served + lines.rejected + lines.withheld + lines.superseded, lines.slots)
  assert.equal(unreadable === undefined, synced !== undefined)
  if (synced === undefined) return
  // A sync withholds test data when it stores the slots.
  const testSlots = synced.slots.filter(({ offering }) => isTestData(offering)).length
  assert.equal(lines.served, synced.slots.length - testSlots)
  assert.equal(lines.withheld, synced.counts.withheld + testSlots)
  assert.equal(lines.rejected + lines.directoryRejected, synced.rejected.length)
}
