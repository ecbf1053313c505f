import type { Deadline } from './deadline.ts'
import type { Change } from './query.ts'
import { linesOf } from './response-text.ts'
import { SlotsError } from './slots-error.ts'
import { parse } from './transport.ts'

/** A change that was just committed, and the revision to continue from after it. */
export type WatchedChange = Change & { readonly revision: string }

/** An event of a stream, or a position without a change. */
interface ChangeEvent {
  readonly revision: string
  readonly change: WatchedChange | undefined
}

/** The server-sent events of a response (WHATWG HTML, 9.2). Throws a `SlotsError` if the response is no stream of events. */
export function changeEvents(response: Response, deadline: Deadline): AsyncGenerator<ChangeEvent, void, undefined> {
  // A page of a proxy would end like a lost connection, and be requested again without end.
  if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? ''))
    throw new SlotsError('unexpected-answer', 'Cannot watch: the response is not a stream of events', {
      status: response.status,
    })
  return eventsOf(response, deadline)
}

/** Reads the fields that the service sends. */
async function* eventsOf(response: Response, deadline: Deadline): AsyncGenerator<ChangeEvent, void, undefined> {
  let revision: string | undefined
  let data: string | undefined
  for await (const line of linesOf(response, deadline)) {
    if (line.startsWith('id: ')) revision = line.slice(4)
    else if (line.startsWith('data: ')) data = line.slice(6)
    else if (line === '') {
      if (revision !== undefined)
        yield { revision, change: data === undefined ? undefined : { ...(parse(data, response) as Change), revision } }
      revision = undefined
      data = undefined
    }
  }
}
