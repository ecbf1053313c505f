// Hot path
import { parseSlotQuery } from '../../../slot/slot-query.ts'
import type { ApiContext } from '../../api-context.ts'
import { exportLines, exportTable } from '../export-slots/export-slots.ts'
import type { Answer, Asked, Operation } from '../operation.ts'
import { slotLinks } from '../page-links.ts'

export const SLOTS_PATH = '/v1/scheduling/slots'

/** GET /v1/scheduling/slots: one page of the slots that match, and how many there are in all; or all of them, as an export. */
export const listSlots: Operation = {
  path: SLOTS_PATH,
  read,
  streams: { 'application/x-ndjson': exportLines, 'text/csv': exportTable },
}

function read({ search, nowMs, allocate }: Asked, { index, baseUrl }: ApiContext): Answer {
  const query = parseSlotQuery(search)
  const page = index.select(query, nowMs, allocate)
  const headers = ['Link', slotLinks(baseUrl + SLOTS_PATH, search, query, page)]
  if (page.nextStartMs !== undefined)
    headers.push('Next-Available-Start', new Date(page.nextStartMs).toISOString())
  return { body: page.body, headers }
}
