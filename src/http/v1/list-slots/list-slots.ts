// Hot path
import { parseSlotQuery, SLOT_PARAMETERS } from '../../../slot/slot-query.ts'
import type { Page } from '../../../slot-index/slot-index.ts'
import { exportCsv, exportNdjson } from '../export-slots/export-slots.ts'
import { EXAMPLE_SLOT } from '../openapi/examples.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { slotLinks } from '../page-links.ts'

export const SLOTS_PATH = '/v1/scheduling/slots'

/** GET /v1/scheduling/slots: one page of the matching slots, or an export of all of them. */
export const listSlots: Operation = {
  path: SLOTS_PATH,
  id: 'listSlots',
  summary: 'List slots',
  description:
    'Returns one page of the slots that match all filters, ordered by start, then id, and the total number of matching slots. With `Accept: application/x-ndjson` or `text/csv`, exports all matching slots from one snapshot; `limit`, `offset` and `cursor` are not allowed then.',
  parameters: SLOT_PARAMETERS,
  content: {
    ...jsonContent('SlotPage', { slots: [EXAMPLE_SLOT], total: 1 }),
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One slot per line.' },
      example: `${JSON.stringify(EXAMPLE_SLOT)}\n`,
    },
    'text/csv': {
      schema: { type: 'string', description: 'A header line, then one slot per line.' },
      example:
        'id,status,start,end\r\n0g3f8k2m5q7r9s1t4v6a8c0e,free,2026-06-01T09:00:00-04:00,2026-06-01T09:15:00-04:00\r\n',
    },
  },
  headers: [
    'Link',
    'ETag',
    'Cache-Control',
    'Vary',
    'Server-Timing',
    'Next-Available-Start',
    'Slots-Revision',
    'Slots-Total',
    'Content-Disposition',
  ],
  optionalHeaders: ['ETag'],
  problems: ['invalid-parameter', 'queue-full', 'too-many-exports'],
  read({ search, nowMs, allocate }, { index, now, baseUrl }) {
    const query = parseSlotQuery(search)
    const respond = (page: Page, version: string) => {
      const link = `Link: ${slotLinks(baseUrl + SLOTS_PATH, search, query, page)}\r\n`
      const next = page.nextStartMs === undefined ? '' : nextStartLine(page.nextStartMs)
      return { body: page.body, headers: link + next, version }
    }
    const view = index.view(nowMs)
    const page = view.trySelect(query, allocate)
    if (page !== undefined) return respond(page, view.version)
    return index.inSteps(now, function* (pinned) {
      return respond(yield* pinned.select(query, allocate), pinned.version)
    })
  },
  streams: { 'application/x-ndjson': exportNdjson, 'text/csv': exportCsv },
}

function nextStartLine(startMs: number): string {
  return `Next-Available-Start: ${new Date(startMs).toISOString()}\r\n`
}
