// Hot path
import { parseSlotQuery } from '../slot/slot-query.ts'
import type { ApiContext } from './api-context.ts'
import type { Answer, Asked, Operation } from './operation.ts'
import { pageLinks } from './page-links.ts'

export const SLOTS_PATH = '/v1/scheduling/slots'

/** GET /v1/scheduling/slots: one page of the slots that match, and how many there are in all. */
export const listSlots: Operation = { path: SLOTS_PATH, read }

function read({ search, nowMs, allocate }: Asked, { index, baseUrl }: ApiContext): Answer {
  const query = parseSlotQuery(search)
  const { body, total } = index.select(query, nowMs, allocate)
  return { body, headers: ['Link', pageLinks(baseUrl + SLOTS_PATH, search, query, total)] }
}
