import { asObject } from '../../lib/json.ts'
import { readOutcome } from '../fhir/operation-outcome.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { ThrottledClient, type Wait } from '../http/throttled-client.ts'

/** Maximum size of a page. Requests ask for 500 slots; a server without paging sends all of them. */
const PAGE_BYTES_MAX = 2 ** 26

/** Sends requests to a FHIR server. */
export class ServerClient {
  readonly #client: PublisherClient
  readonly #throttled: ThrottledClient

  constructor(client: PublisherClient, signal: AbortSignal, wait?: Wait) {
    this.#client = client
    this.#throttled = new ThrottledClient(client, signal, wait)
  }

  /** Throws `FeedFailure`, with a `HttpStatusError` as its cause if the server answered. */
  open(url: URL): Promise<FileResponse> {
    return this.#throttled.get(url, { accept: ACCEPT, bodyBytesMax: PAGE_BYTES_MAX, explain })
  }

  /** The URL without secrets, to show, store and follow. */
  plainUrl(url: URL): URL {
    return this.#client.plainUrl(url)
  }
}

/** Status codes for unknown or unsupported parameters. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 422, 501])

const ACCEPT = 'application/fhir+json, application/json;q=0.9'

/** The explanation in the body of an error response; undefined if it is not an OperationOutcome. */
export function explain(text: string): string | undefined {
  try {
    const resource = asObject(JSON.parse(text))
    return resource?.resourceType === 'OperationOutcome' ? readOutcome(resource).text : undefined
  } catch {
    return undefined
  }
}
