import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LoopbackServer } from './loopback-server.ts'

/** A published resource. */
export interface BulkResource {
  readonly resourceType: string
  readonly id: string
  readonly [name: string]: unknown
}

/** A resource to insert or update, or the name of one to delete. */
export type BulkChange = BulkResource | `${string}/${string}`

/** A faulty response to a request. */
type Fault = (path: string, response: ServerResponse) => boolean

interface Page {
  output: { type: string; url: string; count: number }[]
  deleted: { url: string }[]
  outcome?: { type: string; url: string }[]
  next?: string
  readonly publishedAt: string
}

/**
 * A publisher of `$bulk-publish` (HL7 Bulk Data 4). `resources` is its data set, which a consumer must have after it has read all pages.
 *
 *     publishRoot()   a new root of several pages with the whole data set, and, if it is a chain, a stub that says `#pending`
 *     update()        the next page of the chain
 *     close()         the chain's last page says `#closed`
 */
export class BulkPublisher extends LoopbackServer {
  /** The data set by `Type/id`. */
  readonly resources = new Map<string, BulkResource>()
  /** Responds instead of the publisher if it returns true. */
  fault: Fault = () => false
  updateCadence: string | undefined = 'PT1M'
  /** The headers of each request for a file. */
  readonly fileHeads: IncomingMessage['headers'][] = []
  readonly #pages = new Map<string, Page>()
  readonly #files = new Map<string, string>()
  #last = ''
  #number = 0

  static open(): Promise<BulkPublisher> {
    return new BulkPublisher().listen()
  }

  /** Updates may follow. */
  get isChain(): boolean {
    return this.#lastPage.next === '#pending'
  }

  get url(): string {
    return `${this.origin}/$bulk-publish`
  }

  /**
   * Publishes the data set as a new root of `pages` pages. Old pages and files stay available. An open chain goes on after the new root, or is
   * closed if `isChain` is false, or abandoned against the specification. `before`: versions that come first in the output and have no effect.
   */
  publishRoot({ pages = 1, isChain = true, before = [] as readonly BulkChange[], abandons = false } = {}): void {
    const open = !abandons && this.#pages.get(this.#last)?.next === '#pending' ? this.#last : undefined
    if (!isChain && open !== undefined) this.close()
    const root = this.#addPage('/$bulk-publish')
    this.#list(root, before)
    const all = [...this.resources.values()]
    const size = Math.ceil(all.length / pages)
    let page = root
    for (let at = 0; at < pages; at++) {
      if (at > 0) page = this.#addNext(page)
      this.#list(page, all.slice(at * size, (at + 1) * size))
    }
    if (!isChain) return
    if (open === undefined || open === '/$bulk-publish') this.#addNext(page).next = '#pending'
    else {
      page.next = `${this.origin}${open}`
      this.#last = open
    }
  }

  /** Applies changes to the data set, and publishes them as the next page of the chain. */
  update(changes: readonly BulkChange[]): void {
    for (const change of changes) {
      if (typeof change === 'string') this.resources.delete(change)
      else this.resources.set(`${change.resourceType}/${change.id}`, change)
    }
    const last = this.#lastPage
    const page = this.#addNext(last)
    // Deletions of a page come after its output.
    const deleted = changes.filter((change) => typeof change === 'string' && !this.resources.has(change))
    this.#list(page, [...changes.filter((change) => typeof change !== 'string'), ...deleted])
    page.next = '#pending'
  }

  close(): void {
    this.#lastPage.next = '#closed'
  }

  /** Adds a file of OperationOutcomes to the last page. */
  report(...outcomes: readonly object[]): void {
    const url = this.#addFile(outcomes)
    this.#lastPage.outcome = [{ type: 'OperationOutcome', url }]
  }

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? ''
    const isFile = path.startsWith('/files/')
    if (isFile) this.fileHeads.push(request.headers)
    if (this.fault(path, response)) return
    const file = this.#files.get(`${this.origin}${path}`)
    const page = this.#pages.get(path)
    if (file !== undefined) {
      const headers = {
        'content-type': 'application/fhir+ndjson',
        'cache-control': 'public, max-age=31536000, immutable',
      }
      response.writeHead(200, headers).end(file)
    } else if (page !== undefined) this.#sendPage(page, request, response)
    else response.writeHead(404).end()
  }

  get #lastPage(): Page {
    const page = this.#pages.get(this.#last)
    if (page === undefined) throw new Error('Cannot publish: there is no root yet')
    return page
  }

  #sendPage({ output, deleted, outcome, next, publishedAt }: Page, request: IncomingMessage, response: ServerResponse) {
    const body = JSON.stringify({
      manifestType: 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest',
      transactionTime: publishedAt,
      requiresAccessToken: false,
      ...(this.updateCadence !== undefined && { updateCadence: this.updateCadence }),
      ...(output.length > 0 && { output }),
      ...(deleted.length > 0 && { deleted }),
      ...(outcome !== undefined && { outcome }),
      ...(next !== undefined && { link: [{ relation: 'next', url: next }] }),
      ...(output.length === 0 && next === undefined && { output }),
    })
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`
    const isSame = request.headers['if-none-match'] === etag
    const headers = { etag, 'content-type': 'application/json', 'cache-control': 'public, max-age=10' }
    response.writeHead(isSame ? 304 : 200, headers).end(isSame ? '' : body)
  }

  #addPage(path: string): Page {
    const publishedAt = new Date(Date.UTC(2026, 2, 1, 0, this.#number)).toISOString()
    const page: Page = { output: [], deleted: [], publishedAt }
    this.#pages.set(path, page)
    this.#last = path
    return page
  }

  #addNext(page: Page): Page {
    const path = `/pages/${++this.#number}`
    page.next = `${this.origin}${path}`
    return this.#addPage(path)
  }

  /** One file per run of resources of equal type, so that their order stays; deletions in one file each. */
  #list(page: Page, changes: readonly BulkChange[]): void {
    const runs: BulkResource[][] = []
    for (const change of changes) {
      if (typeof change === 'string') {
        const entry = [{ request: { method: 'DELETE', url: change } }]
        page.deleted.push({ url: this.#addFile([{ resourceType: 'Bundle', type: 'transaction', entry }]) })
      } else if (runs.at(-1)?.[0]?.resourceType === change.resourceType) runs.at(-1)?.push(change)
      else runs.push([change])
    }
    for (const run of runs)
      page.output.push({ type: run[0]?.resourceType ?? '', url: this.#addFile(run), count: run.length })
  }

  /** Files are immutable: other content gets another URL. */
  #addFile(resources: readonly object[]): string {
    const content = resources.map((resource) => `${JSON.stringify(resource)}\n`).join('')
    const known = [...this.#files].find(([, file]) => file === content)
    const url = known?.[0] ?? `${this.origin}/files/${++this.#number}.ndjson`
    this.#files.set(url, content)
    return url
  }
}
