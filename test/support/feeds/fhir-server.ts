import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Identity, LoopbackServer } from './loopback-server.ts'

/** A resource of a test. */
export interface Resource {
  readonly resourceType: string
  readonly id?: string
  readonly [name: string]: unknown
}

/** Handles a request instead of the server if it returns true. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

/** The behavior of the server. */
export interface Abilities {
  fhirVersion: string
  /** `strict` refuses parameters that it does not know, as some servers do. */
  includes: 'all' | 'schedule' | 'none' | 'strict'
  /** Slots per page, whatever `_count` is. */
  pageMax: number
  /** Included resources are on the page after their slots. */
  lateIncludes: boolean
}

/**
 * A FHIR server of a test's resources, with searches by time, status and id, pages and includes, and the ways in which servers
 * differ. Its log is decoded: `/Slot?start=… 200`.
 */
export class FhirServer extends LoopbackServer {
  readonly resources: Resource[] = []
  readonly abilities: Abilities = { fhirVersion: '4.0.1', includes: 'all', pageMax: 100, lateIncludes: false }
  /** The headers of each request. */
  readonly heads: IncomingMessage['headers'][] = []
  intercept: Intercept = () => false

  static open(resources: readonly Resource[] = [], identity?: Identity): Promise<FhirServer> {
    const server = new FhirServer(identity)
    server.resources.push(...resources)
    return server.listen()
  }

  get base(): string {
    return `${this.origin}/fhir`
  }

  /** Answers searches of a type with this page instead of the resources. */
  answerSearches(type: string, page: () => object, status = 200): void {
    this.intercept = (request, response) =>
      request.url?.startsWith(`/fhir/${type}?`) === true && sendJson(response, status, page())
  }

  protected override shown(url: string): string {
    return decodeURIComponent(url)
  }

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.origin)
    this.heads.push(request.headers)
    if (this.intercept(request, response)) return
    const [, root, type] = url.pathname.split('/')
    if (root !== 'fhir') return void sendJson(response, 404, outcome('error', 'no such path'))
    if (type === 'metadata') return void sendJson(response, 200, this.#capabilities())
    if (
      this.abilities.includes === 'strict' &&
      [...url.searchParams.keys()].some((name) => name.startsWith('_include'))
    ) {
      return void sendJson(response, 400, outcome('error', 'Unknown parameter _include'))
    }
    sendJson(response, 200, type === 'Slot' ? this.#slots(url) : this.#byIds(type ?? '', url))
  }

  #capabilities(): object {
    const { fhirVersion } = this.abilities
    const resourceType = fhirVersion.startsWith('1.0') ? 'Conformance' : 'CapabilityStatement'
    return { resourceType, status: 'active', rest: [{ mode: 'server', resource: [] }], fhirVersion }
  }

  #slots(url: URL): object {
    const query = url.searchParams
    const offset = Number(query.get('offset') ?? 0)
    const count = Math.min(Number(query.get('_count') ?? 10), this.abilities.pageMax)
    const matches = this.resources.filter((one) => one.resourceType === 'Slot' && isWithin(one, query))
    const page = matches.slice(offset, offset + count)
    const includedFor = this.abilities.lateIncludes ? matches.slice(Math.max(0, offset - count), offset) : page
    const isLast = offset + count >= matches.length + (this.abilities.lateIncludes ? count : 0)
    const next = new URL(url)
    next.searchParams.set('offset', String(offset + count))
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      total: matches.length,
      link: [{ relation: 'self', url: url.href }, ...(isLast ? [] : [{ relation: 'next', url: next.href }])],
      entry: [
        ...page.map((resource) => entryOf(resource, 'match')),
        ...this.#included(includedFor, query).map((resource) => entryOf(resource, 'include')),
      ],
    }
  }

  #byIds(type: string, url: URL): object {
    const ids = (url.searchParams.get('_id') ?? '').split(',')
    const found = this.resources.filter((one) => one.resourceType === type && ids.includes(String(one.id)))
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      link: [],
      entry: found.map((resource) => entryOf(resource, 'match')),
    }
  }

  #included(slots: readonly Resource[], query: URLSearchParams): Resource[] {
    const { includes, fhirVersion } = this.abilities
    const iterate = fhirVersion.startsWith('3') ? '_include:recurse' : '_include:iterate'
    if (includes === 'none' || !query.getAll('_include').includes('Slot:schedule')) return []
    const iterated = includes === 'all' ? query.getAll(iterate).map((one) => one.split(':')[0]) : []
    const found = new Set<Resource>()
    const waiting = [...slots]
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      if (one.resourceType !== 'Slot' && !iterated.includes(one.resourceType)) continue
      for (const each of this.#referredBy(one)) {
        if (found.has(each)) continue
        found.add(each)
        waiting.push(each)
      }
    }
    return [...found]
  }

  #referredBy(resource: Resource): Resource[] {
    const references = [...JSON.stringify(resource).matchAll(/"reference":"(\w+\/[\w.-]+)"/g)].map(([, name]) => name)
    return this.resources.filter((one) => references.includes(`${one.resourceType}/${one.id}`))
  }
}

/** An OperationOutcome of one issue. */
export function outcome(severity: string, diagnostics: string): Resource {
  return { resourceType: 'OperationOutcome', issue: [{ severity, code: 'processing', diagnostics }] }
}

/** Responds with FHIR JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): boolean {
  response.writeHead(status, { 'content-type': 'application/fhir+json' }).end(JSON.stringify(body))
  return true
}

/** A page of these entries. */
export function bundle(entry: readonly unknown[], next?: string): object {
  const link = next === undefined ? [] : [{ relation: 'next', url: next }]
  return { resourceType: 'Bundle', type: 'searchset', link, entry }
}

export function entryOf(resource: Resource, mode = 'match'): object {
  return { fullUrl: `urn:${resource.resourceType}:${resource.id}`, resource, search: { mode } }
}

function isWithin({ start, status }: Resource, query: URLSearchParams): boolean {
  const ms = Date.parse(String(start))
  const wanted = query.get('status')?.split(',')
  const isTime = query.getAll('start').every((bound) => {
    const limit = Date.parse(bound.slice(2))
    return Number.isNaN(ms) || (bound.startsWith('ge') ? ms >= limit : ms < limit)
  })
  return isTime && (wanted === undefined || wanted.includes(String(status)))
}
