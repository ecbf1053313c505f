import { parseSlotQuery } from '../../../slot/slot-query.ts'
import type { SlotIndex } from '../../../slot-index/slot-index.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import { slotLinks } from '../page-links.ts'

/** What `GET /v1/scheduling/slots` answers to a search: its body, and its `Link`. Throws `InvalidParameter`. */
export function exploreSlots(
  search: string,
  index: SlotIndex,
  { baseUrl, nowMs }: { baseUrl: string; nowMs: number },
): { body: Uint8Array; link: string } {
  const query = parseSlotQuery(search)
  const page = index.select(query, nowMs)
  return { body: page.body, link: slotLinks(baseUrl + SLOTS_PATH, search, query, page) }
}
