import { FeedFailure } from '../feeds/connector.ts'
import { type ClientOptions, type FileResponse, PublisherClient } from '../feeds/http/publisher-client.ts'
import { withoutCredentials } from '../feeds/http/request-options.ts'
import type { Probe } from './feed.ts'

/** The origin of a page that reads the feed in a browser; nothing is there (RFC 2606). */
const ORIGIN = 'https://reader.example'
const SINCE = '2026-01-01T00:00:00Z'

/**
 * Requests the manifest and the given files in other ways than a sync: without credentials; from a page of another origin; without
 * `Accept`; with `_since`. Responses are closed unread; a failed request is a result.
 */
export async function probeDirectory(
  manifest: URL,
  files: readonly URL[],
  options: ClientOptions,
  signal: AbortSignal,
): Promise<Probe[]> {
  const prober = new Prober(manifest, options, signal)
  try {
    const probes = await prober.probe('manifest', manifest, 'application/json')
    probes.push(await prober.probeSince())
    for (const file of files) probes.push(...(await prober.probe('file', file, 'application/fhir+ndjson')))
    return probes
  } finally {
    prober.close()
  }
}

class Prober {
  readonly #manifest: URL
  readonly #options: ClientOptions
  readonly #signal: AbortSignal
  readonly #clients: PublisherClient[] = []
  /** With the headers, parameters and credentials of the source. */
  readonly #source: PublisherClient

  constructor(manifest: URL, options: ClientOptions, signal: AbortSignal) {
    this.#manifest = manifest
    this.#options = options
    this.#signal = signal
    this.#source = this.#client(manifest, options)
  }

  async probe(role: Probe['role'], url: URL, accept: string): Promise<Probe[]> {
    const plain = withoutCredentials(url)
    const { allowPrivate, allowedHosts, requestOptions = {} } = this.#options
    const anonymous = { allowPrivate, ...(allowedHosts !== undefined && { allowedHosts }) }
    const anonymousClient = this.#client(plain, anonymous)
    // Only requests to the origin of a client carry its headers, and only those to the feed's own origin its secrets.
    const isOwn = url.origin === this.#manifest.origin
    const page = this.#client(isOwn ? this.#manifest : plain, {
      ...(isOwn ? this.#options : anonymous),
      requestOptions: {
        ...(isOwn && requestOptions),
        headers: { ...(isOwn && requestOptions.headers), origin: ORIGIN },
      },
    })
    return [
      await resultOf({ kind: 'anonymous', role }, url, () => anonymousClient.get(plain, { accept })),
      await resultOf({ kind: 'cors', role }, url, () => page.get(url, { accept })),
      await resultOf({ kind: 'accept', role }, url, () => this.#source.get(url, {})),
    ]
  }

  async probeSince(): Promise<Probe> {
    const url = new URL(this.#manifest)
    url.searchParams.set('_since', SINCE)
    const send = () => this.#source.get(url, { accept: 'application/json' })
    return await resultOf({ kind: 'since', role: 'manifest' }, url, send)
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  #client(start: URL, options: ClientOptions): PublisherClient {
    const client = new PublisherClient(start, options, this.#signal)
    this.#clients.push(client)
    return client
  }
}

async function resultOf(
  about: Pick<Probe, 'kind' | 'role'>,
  url: URL,
  send: () => Promise<FileResponse>,
): Promise<Probe> {
  const head = { ...about, name: withoutCredentials(url).href, origin: ORIGIN }
  try {
    const { headers, discard } = await send()
    discard()
    return { ...head, headers: textHeaders(headers) }
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error
    return { ...head, headers: {}, failure: error.message }
  }
}

function textHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
