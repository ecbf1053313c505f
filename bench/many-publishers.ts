import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The `max-age` of each manifest. */
export const MAX_AGE_S = 60

const HOUR_MS = 3_600_000

/** A thousand small publishers in one process: `/<n>/$bulk-publish`. Feeds are generated on request and take no memory. */
export class ManyPublishers {
  readonly origin: string
  /** Delay of each poll after `max-age`, except the first poll of a publisher, in milliseconds. */
  readonly latenessMs: number[] = []
  readonly #server: ReturnType<typeof createServer>
  readonly #slots: number
  readonly #firstMs = Math.ceil(Date.now() / HOUR_MS + 24) * HOUR_MS
  readonly #versions = new Map<number, number>()
  readonly #askedAtMs = new Map<number, number>()

  private constructor(server: ReturnType<typeof createServer>, slots: number) {
    this.#server = server
    this.#slots = slots
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => this.#respond(request, response))
  }

  static async start(slots: number): Promise<ManyPublishers> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ManyPublishers(server, slots)
  }

  /** Toggles its first slot between free and busy. */
  change(publisher: number): void {
    this.#versions.set(publisher, this.#versionOf(publisher) + 1)
  }

  /** Publishers polled at least once. */
  get polled(): number {
    return this.#askedAtMs.size
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const [, number, file] = decodeURIComponent(request.url ?? '').split('/')
    const publisher = Number(number)
    if (file === '$bulk-publish') this.#answerManifest(publisher, response)
    else this.#answerFile(request, response, { publisher, file })
  }

  #answerFile(
    request: IncomingMessage,
    response: ServerResponse,
    { publisher, file }: { publisher: number; file: string },
  ): void {
    const etag = `"${file}-${file === 'Slot' ? this.#versionOf(publisher) : 0}"`
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag, 'content-type': 'application/fhir+ndjson' }).end(this.#file(publisher, file))
  }

  #answerManifest(publisher: number, response: ServerResponse): void {
    const nowMs = Date.now()
    const before = this.#askedAtMs.get(publisher)
    if (before !== undefined) this.latenessMs.push(nowMs - before - MAX_AGE_S * 1000)
    this.#askedAtMs.set(publisher, nowMs)
    const output = ['Location', 'Schedule', 'Slot'].map((type) => ({
      type,
      url: `${this.origin}/${publisher}/${type}`,
    }))
    const manifest = { transactionTime: new Date(nowMs).toISOString(), request: '', output, error: [] }
    response.writeHead(200, { 'cache-control': `max-age=${MAX_AGE_S}` }).end(JSON.stringify(manifest))
  }

  #file(publisher: number, file: string): string {
    if (file === 'Location') return '{"resourceType":"Location","id":"l","name":"Clinic","address":{"state":"MA"}}\n'
    if (file === 'Schedule') return '{"resourceType":"Schedule","id":"s","actor":[{"reference":"Location/l"}]}\n'
    const isBusy = this.#versionOf(publisher) % 2 === 1
    return Array.from({ length: this.#slots }, (_, at) => this.#slotLine(at, at === 0 && isBusy)).join('')
  }

  #slotLine(at: number, isBusy: boolean): string {
    const startMs = this.#firstMs + at * 600_000
    const times = `"start":"${new Date(startMs).toISOString()}","end":"${new Date(startMs + 600_000).toISOString()}"`
    const status = isBusy ? 'busy' : 'free'
    return `{"resourceType":"Slot","id":"${at}","schedule":{"reference":"Schedule/s"},"status":"${status}",${times}}\n`
  }

  #versionOf(publisher: number): number {
    return this.#versions.get(publisher) ?? 0
  }
}
