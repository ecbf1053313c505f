import { got } from '../../lib/json.ts'
import { hasSignature, type SignedFormat } from '../../lib/signature.ts'
import { FeedFailure } from '../connector.ts'
import { LineAssembler } from '../http/lines.ts'
import { isWebPage } from './manifest.ts'

/**
 * Passes on the body of a file of resources. Throws `FeedFailure` at its end if it has text and no resource, or ends within one: an error
 * message in its place, or a file that is being written, does not mean that the resources of the file are gone.
 */
export async function* resourceChunks(file: string, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isKnown = false
  let beginning: Buffer | undefined
  let end = ''
  let line = new LineAssembler()
  for await (const chunk of body) {
    if (!isKnown) {
      end = end.slice(-MEMBER_LENGTH_MAX) + chunk.toString('latin1')
      isKnown = RESOURCE.test(end)
      if (end.trim() !== '') beginning ??= Buffer.from(chunk.subarray(0, SAMPLE_BYTES))
    }
    const lastLine = chunk.lastIndexOf('\n') + 1
    if (lastLine > 0) line = new LineAssembler()
    // A copy, because the consumer frees the chunk.
    line.keep(Buffer.from(chunk.subarray(lastLine)))
    yield chunk
  }
  if (isKnown) return requireEnd(file, line)
  if (beginning === undefined) return
  const sample = beginning.toString()
  throw otherContent(file, otherContentOf(1, beginning, sample) ?? notResources(sample))
}

/** Throws `FeedFailure` if a line without an end is the beginning of a resource. */
function requireEnd(file: string, line: LineAssembler): void {
  line.push(line.close(Buffer.alloc(0)))
  const { lines, overlong } = line.take()
  const text = String(lines[0]).trim()
  if (overlong.size > 0 || !text.startsWith('{') || text.endsWith('}')) return
  throw new FeedFailure(
    `Cannot read ${file}: it is truncated: its last line has neither a closing brace nor a line end: ${got(text)}`,
  )
}

/** The failure of a file that is something else than lines of resources. `must`: see `otherContentOf()`. */
export function otherContent(file: string, must: string, cause?: unknown): FeedFailure {
  return new FeedFailure(`Cannot read ${file}: it must ${must}`, { cause })
}

/**
 * The requirement that the whole file violates, by a line that could not be read: a web page is recognized by any line, other content by the
 * first. `sample`: the beginning of the line.
 */
export function otherContentOf(line: number, bytes: Buffer, sample: string): string | undefined {
  if (isWebPage(sample)) return 'be NDJSON: got a web page'
  if (line !== 1) return undefined
  const other = OTHER_CONTENT.find(({ format }) => hasSignature(bytes, format))
  if (other !== undefined) return other.must
  if (RUN_TOGETHER.test(sample)) return 'have a line feed after each resource'
  const isMessage = MESSAGE.test(sample) && !RESOURCE.test(sample)
  return isMessage || DOCUMENT.test(sample) ? notResources(sample) : undefined
}

/** Enough of a line to recognize what the file is. */
export const SAMPLE_BYTES = 2000

function notResources(sample: string): string {
  return `be NDJSON of FHIR resources: ${got(sample)}`
}

/** Members that error messages in JSON have, and resources do not. */
const MESSAGE = /^\s*\{.*"(?:errors?|message|title|fault)"\s*:/i

/** Each resource has one of them, also if its JSON is broken. */
const RESOURCE = /"(?:resourceType|id)"\s*:/

/** One of them may be divided between two chunks. */
const MEMBER_LENGTH_MAX = 100

/** Three objects in one line: lines end with a carriage return alone, or not at all. */
const RUN_TOGETHER = /^\s*\{[^\n]*\}[^\S\n]*\{[^\n]*\}[^\S\n]*\{/

/** XML, a JSON array, and resources that a server sends in place of others. */
const DOCUMENT = /^\s*(?:<|\[|\{\s*"resourceType"\s*:\s*"(?:Bundle|OperationOutcome)")/

const OTHER_CONTENT: readonly { readonly format: SignedFormat; readonly must: string }[] = [
  { format: 'gzip', must: 'be NDJSON, compressed only with the header Content-Encoding: got gzip data' },
  { format: 'zip', must: 'be NDJSON: got a ZIP archive' },
  { format: 'utf-16', must: 'be NDJSON in UTF-8: got UTF-16 text' },
]
