import type { Deadline } from './deadline.ts'
import type { Change } from './query.ts'
import { linesOf } from './response-text.ts'
import { parse } from './transport.ts'

/** A change that was just committed, and the revision to continue from after it. */
export type WatchedChange = Change & { readonly revision: string }

/** An event of a stream, or a position without a change. */
interface ChangeEvent {
  readonly revision: string
  readonly change: WatchedChange | undefined
}

/** The server-sent events of a response (WHATWG HTML, 9.2), of the fields that the service sends. */
export async function* changeEvents(
  response: Response,
  deadline: Deadline,
): AsyncGenerator<ChangeEvent, void, undefined> {
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
