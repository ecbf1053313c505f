import { formatRevision } from '../../../slot/revision.ts'
import type { ChangesPage } from './read-changes.ts'

/** Server-sent events (WHATWG HTML, 9.2). */
export const EVENT_STREAM_TYPE = 'text/event-stream'

/** The operation of a relayed request for a page of changes as events, for a stream of another thread. */
export const CHANGE_EVENTS = '/v1/scheduling/changes events'

/**
 * A page of changes as server-sent events. Each has the revision to resume from after it; the last one alone has that of the page, also if no change of it
 * matches.
 *
 *     event: added
 *     id: 7x2k9v0a.1b.bk3
 *     data: {"change":"added","slot":{…}}
 *
 *     id: 7x2k9v0a.1c
 */
export function formatEvents({ changes, revision }: ChangesPage): string {
  let text = ''
  for (const { json, revision } of changes)
    text += `event: ${kindOf(json)}\nid: ${formatRevision(revision)}\ndata: ${json}\n\n`
  return `${text}${formatPosition(formatRevision(revision))}`
}

/** Sets the revision to resume from, without an event. */
export function formatPosition(revision: string): string {
  return `id: ${revision}\n\n`
}

function kindOf(json: string): string {
  return json.slice(KIND_AT, json.indexOf('"', KIND_AT))
}

const KIND_AT = '{"change":"'.length
