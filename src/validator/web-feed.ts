import { buffer } from 'node:stream/consumers'
import { FeedFailure } from '../feeds/connector.ts'
import { type ClientOptions, type FileResponse, PublisherClient } from '../feeds/http/publisher-client.ts'
import type { Validators } from '../feeds/http/response.ts'
import type { ConditionalResponses, Feed, OpenedFile, OpenedManifest } from './feed.ts'
import { probeDirectory } from './probe-requests.ts'

const MANIFEST_BYTES_MAX = 2 ** 24

/** A feed on the web, requested as by a sync. Throws `FeedFailure` for an invalid URL. */
export function webFeed(url: string, options: ClientOptions, signal: AbortSignal): Feed {
  if (!URL.canParse(url)) throw new FeedFailure(`Cannot read ${url}: it must be a URL`)
  const start = new URL(url)
  const client = new PublisherClient(start, options, signal)
  const get = async (requested: URL, accept: string, bodyBytesMax?: number) => {
    const answer = await client.get(requested, { accept, ...(bodyBytesMax ? { bodyBytesMax } : {}) })
    const http = { requested: client.plainUrl(requested), url: answer.url, headers: answer.headers }
    return {
      answer,
      file: { name: client.plainUrl(requested).href, http, body: answer.body } satisfies OpenedFile,
    }
  }
  const openPage = async (page: URL): Promise<OpenedManifest> => {
    const { answer, file } = await get(page, 'application/json', MANIFEST_BYTES_MAX)
    const { url: base, validators } = answer
    return { ...file, base, testConditionalRequests: (text) => testConditionally(client, page, validators, text) }
  }
  return {
    name: client.plainUrl(start).href,
    open: () => openPage(start),
    openPage,
    openFile: async (listed) => (await get(new URL(listed), 'application/fhir+ndjson')).file,
    probe: (files) => {
      const urls = files.map((file) => new URL(file))
      return probeDirectory(start, urls, options, signal)
    },
    close: () => client.close(),
  }
}

/** Requests a page again with its validators, and with an unknown entity tag. */
async function testConditionally(
  client: PublisherClient,
  page: URL,
  validators: Validators,
  text: string,
): Promise<ConditionalResponses> {
  if (validators.etag === undefined && validators.lastModified === undefined) return {}
  const again = async (sent: Validators) => {
    const request = { accept: 'application/json', validators: sent, bodyBytesMax: MANIFEST_BYTES_MAX }
    return client.get(page, request).catch(ignoreFeedFailure)
  }
  const ignoresValidators = await isResent(await again(validators), validators, text)
  const unknownTag = await again(UNKNOWN_TAG)
  unknownTag?.discard()
  return {
    ...(ignoresValidators !== undefined && { ignoresValidators }),
    ...(unknownTag !== undefined && { matchesUnknownTags: unknownTag.notModified }),
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
