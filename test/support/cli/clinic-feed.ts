import type { TestContext } from 'node:test'
import { manifest, ndjson, Publisher } from '../feeds/publisher.ts'
import { place, schedule, slot } from '../feeds/smart-links-reader.ts'

const LISTED = { '/l.ndjson': 'Location', '/s.ndjson': 'Schedule', '/slots.ndjson': 'Slot' }

/** A publisher of one Slot file, which `publish()` replaces. */
export async function openClinicFeed(t: TestContext, lines: string) {
  const feed = await Publisher.open({ '/l.ndjson': ndjson(place('l1')), '/s.ndjson': ndjson(schedule('s1', 'l1')) })
  t.after(() => feed[Symbol.asyncDispose]())
  const publish = (lines: string) => {
    feed.files['/$bulk-publish'] = manifest(LISTED, { transactionTime: new Date().toISOString() })
    feed.files['/slots.ndjson'] = lines
  }
  publish(lines)
  return { feed, publish, url: `${feed.origin}/$bulk-publish` }
}

/** The lines of the first slots, of which the first `invalid` have no valid status. */
export function slotLines(count: number, invalid = 0): string {
  const slots = Array.from({ length: count }, (_, n) =>
    slot(`${n}`, {
      status: n < invalid ? 'open' : 'free',
      start: `2099-01-05T${10 + n}:00:00Z`,
      end: `2099-01-05T${10 + n}:15:00Z`,
    }),
  )
  return ndjson(...slots)
}
