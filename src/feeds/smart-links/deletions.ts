import { got, type Json, objectsIn } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import { parseReference } from '../fhir/data-types.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { isBlankLine, LINE_BYTES_MAX, readLines } from '../http/lines.ts'
import { InvalidData } from '../rejections.ts'

/** A resource that a file of deletions names. */
interface Deletion {
  readonly type: string
  readonly id: string
}

/**
 * Reads a file of deletions: a line is a Bundle of transaction entries `{"request":{"method":"DELETE","url":"Slot/123"}}`. Throws
 * `FeedFailure` for anything else, which may name a slot that is gone.
 */
export async function* readDeletions(file: string, body: AsyncIterable<Buffer>): AsyncGenerator<Deletion> {
  for await (const { first, lines, overlong } of readLines(body)) {
    for (let at = 0; at < lines.length; at++) {
      const where = `Cannot read deletions of ${file}, line ${first + at}`
      if (overlong.has(at)) throw new FeedFailure(`${where}: it must be at most ${LINE_BYTES_MAX} bytes`)
      if (!isBlankLine(lines[at])) yield* deletionsIn(lines[at].toString(), where)
    }
  }
}

function* deletionsIn(line: string, where: string): Generator<Deletion> {
  const bundle = parseBundle(line, where)
  if (bundle.resourceType !== 'Bundle')
    throw new FeedFailure(`${where}: it must be a Bundle: ${got(bundle.resourceType)}`)
  for (const entry of objectsIn(bundle.entry)) {
    const [request] = objectsIn(entry.request)
    const target = request?.method === 'DELETE' ? parseReference({ reference: request.url }) : undefined
    if (target?.type === undefined || String(request.url).includes('?'))
      throw new FeedFailure(`${where}: each entry must be a DELETE of "Type/id": ${got(entry.request)}`)
    yield { type: target.type, id: target.id }
  }
}

function parseBundle(line: string, where: string): Json {
  try {
    return parseResource(line, false)
  } catch (error) {
    if (error instanceof InvalidData) throw new FeedFailure(`${where}: ${error.message}`)
    throw error
  }
}
