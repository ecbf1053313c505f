import { readFile, stat } from 'node:fs/promises'
import { FeedFailure } from '../feeds/connector.ts'
import { asObject, objectsIn } from '../lib/json.ts'

const DOCUMENT_BYTES_MAX = 2 ** 26

/**
 * The resources of a JSON document as lines: those of a Bundle, of an array, or the one that it is. Their numbers are the
 * places of entries, counted from 1. Throws `FeedFailure` if it is no JSON, or longer than 64 MiB.
 */
export async function* jsonLines(path: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  if (size > DOCUMENT_BYTES_MAX)
    throw new FeedFailure(
      `Cannot read ${path}: a JSON document must be at most ${DOCUMENT_BYTES_MAX} bytes: got "${size}"`,
    )
  for (const resource of resourcesOf(parse(path, await readFile(path, 'utf8')))) yield lineOf(path, resource)
}

/** To write JSON goes as deep as it is nested, to read it does not. */
function lineOf(path: string, resource: unknown): Buffer {
  try {
    return Buffer.from(`${JSON.stringify(resource)}\n`)
  } catch (cause) {
    throw new FeedFailure(`Cannot read ${path}: it must not be nested so deep`, { cause })
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message.slice(0, 150) : ''
    throw new FeedFailure(`Cannot read ${path}: it must be JSON: ${detail}`, { cause })
  }
}

function resourcesOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document
  const bundle = asObject(document)
  if (bundle?.resourceType !== 'Bundle') return [document]
  return objectsIn(bundle.entry).map(({ resource }) => resource ?? {})
}
