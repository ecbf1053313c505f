import { buffer } from 'node:stream/consumers'
import { FeedFailure } from '../feeds/connector.ts'
import { type ClientOptions, type FileResponse, PublisherClient } from '../feeds/http/publisher-client.ts'
import type { Validators } from '../feeds/http/response.ts'
import type { Feed, OpenedFile } from './feed.ts'

const MANIFEST_BYTES_MAX = 2 ** 24

/** A feed on the web, requested as by a sync. Throws `FeedFailure` for an invalid URL. */
export function webFeed(url: string, options: ClientOptions, signal: AbortSignal): Feed {
  if (!URL.canParse(url)) throw new FeedFailure(`Cannot read ${url}: it must be a URL`)
  const start = new URL(url)
  const client = new PublisherClient(start, options, signal)
  let validators: Validators = {}
  const get = async (requested: URL, accept: string, bodyBytesMax?: number) => {
    const answer = await client.get(requested, { accept, ...(bodyBytesMax ? { bodyBytesMax } : {}) })
    const http = { requested: client.plainUrl(requested), url: answer.url, headers: answer.headers }
    return {
      answer,
      file: { name: client.plainUrl(requested).href, http, body: answer.body } satisfies OpenedFile,
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
    async testConditionalRequests(text) {
      if (validators.etag === undefined && validators.lastModified === undefined) return {}
      const again = async (sent: Validators) => {
        const request = { accept: 'application/json', validators: sent, bodyBytesMax: MANIFEST_BYTES_MAX }
        return client.get(start, request).catch(ignoreFeedFailure)
      }
      const ignoresValidators = await isResent(await again(validators), validators, text)
      const unknownTag = await again(UNKNOWN_TAG)
      unknownTag?.discard()
      return {
        ...(ignoresValidators !== undefined && { ignoresValidators }),
        ...(unknownTag !== undefined && { matchesUnknownTags: unknownTag.notModified }),
      }
    },
    close: () => client.close(),
  }
}

/** An entity tag that no publisher uses. */
const UNKNOWN_TAG: Validators = { etag: '"5f0c6a52-never-given"' }

/** These requests are additional: the manifest was already received. */
function ignoreFeedFailure(error: unknown): undefined {
  if (!(error instanceof FeedFailure)) throw error
}

/** Undefined if it is unknown, because the feed was republished in between. */
async function isResent(
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
  const resent = await buffer(answer.body).catch(ignoreFeedFailure)
  return resent?.toString() === text ? true : undefined
}
