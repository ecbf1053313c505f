import { FeedFailure } from '../sources/connector.ts'
import type { Validators } from '../sources/web/http-headers.ts'
import { type ClientOptions, PublisherClient } from '../sources/web/publisher-client.ts'
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
    const http = { asked: client.plain(asked), url: answer.url, headers: answer.headers }
    return { answer, file: { name: client.plain(asked).href, http, body: answer.body } satisfies OpenedFile }
  }
  return {
    name: client.plain(start).href,
    async open() {
      const { answer, file } = await get(start, 'application/json', MANIFEST_BYTES_MAX)
      validators = answer.validators
      return { ...file, base: answer.url }
    },
    openFile: async (listed) => (await get(new URL(listed), 'application/fhir+ndjson')).file,
    async ignoresValidators() {
      if (validators.etag === undefined && validators.lastModified === undefined) return undefined
      const question = { accept: 'application/json', validators, bodyBytesMax: MANIFEST_BYTES_MAX }
      const answer = await client.get(start, question).catch((fault: unknown) => {
        // Whatever is wrong now, the manifest has been had.
        if (fault instanceof FeedFailure) return undefined
        throw fault
      })
      if (answer === undefined) return undefined
      if (answer.notModified) return false
      answer.discard()
      // A feed that was published in between has a new validator.
      return (
        answer.validators.etag === validators.etag &&
        answer.validators.lastModified === validators.lastModified
      )
    },
    close: () => client.close(),
  }
}
