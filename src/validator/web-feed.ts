import { FeedFailure } from '../feeds/connector.ts'
import type { Validators } from '../feeds/http/http-headers.ts'
import { type ClientOptions, type FileResponse, PublisherClient } from '../feeds/http/publisher-client.ts'
import type { Feed, OpenedFile } from './feed.ts'

const MANIFEST_BYTES_MAX = 2 ** 24

/** A feed as its publisher sends it, asked for as a sync asks. Throws `FeedFailure` if the URL is none. */
export function webFeed(url: string, options: ClientOptions, signal: AbortSignal): Feed {
  if (!URL.canParse(url)) throw new FeedFailure(`Cannot read ${url}: it must be a URL`)
  const start = new URL(url)
  const client = new PublisherClient(start, options, signal)
  let validators: Validators = {}
  const get = async (asked: URL, accept: string, bodyBytesMax?: number) => {
    const answer = await client.get(asked, { accept, ...(bodyBytesMax ? { bodyBytesMax } : {}) })
    const http = { asked: client.plainUrl(asked), url: answer.url, headers: answer.headers }
    return {
      answer,
      file: { name: client.plainUrl(asked).href, http, body: answer.body } satisfies OpenedFile,
    }
  }
  return {
    name: client.plainUrl(start).href,
    async open() {
      const { answer, file } = await get(start, 'application/json', MANIFEST_BYTES_MAX)
      validators = answer.validators
      return { ...file, base: answer.url }
    },
    openFile: async (listed) => (await get(new URL(listed), 'application/fhir+ndjson')).file,
    async askAgain(text) {
      if (validators.etag === undefined && validators.lastModified === undefined) return {}
      const again = async (asked: Validators) => {
        const question = { accept: 'application/json', validators: asked, bodyBytesMax: MANIFEST_BYTES_MAX }
        return client.get(start, question).catch(whatever)
      }
      const ignoresValidators = await isSentAgain(await again(validators), validators, text)
      const stranger = await again(NEVER_GIVEN)
      stranger?.discard()
      return {
        ...(ignoresValidators !== undefined && { ignoresValidators }),
        ...(stranger !== undefined && { knowsNothingOfTags: stranger.notModified }),
      }
    },
    close: () => client.close(),
  }
}

/** A tag that no manifest of any publisher has. */
const NEVER_GIVEN: Validators = { etag: '"5f0c6a52-never-given"' }

/** Whatever is wrong now, the manifest has been had. */
function whatever(fault: unknown): undefined {
  if (!(fault instanceof FeedFailure)) throw fault
}

/** Undefined where it cannot be told: a feed that was published in between has a new validator, and another text. */
async function isSentAgain(
  answer: FileResponse | undefined,
  validators: Validators,
  text: string,
): Promise<boolean | undefined> {
  if (answer === undefined) return undefined
  if (answer.notModified) return false
  const { etag, lastModified } = answer.validators
  if (etag === validators.etag && lastModified === validators.lastModified) {
    answer.discard()
    return true
  }
  const pieces: Buffer[] = []
  try {
    for await (const piece of answer.body) pieces.push(piece)
  } catch (fault) {
    return whatever(fault)
  }
  return Buffer.concat(pieces).toString() === text ? true : undefined
}
