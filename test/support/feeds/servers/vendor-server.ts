import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Intercept, outcome, type Resource, sendJson } from '../fhir-server.ts'
import { LoopbackServer } from '../loopback-server.ts'

/** A request that the server refuses, with the status and the text of its OperationOutcome. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

/** The response to a search: a Bundle, or a Refusal that is thrown. */
export interface SearchRequest {
  readonly type: string
  readonly query: URLSearchParams
}

/** A search result that is read page by page. */
export interface Paged {
  readonly matches: readonly Resource[]
  readonly includedFor: (matches: readonly Resource[]) => readonly Resource[]
  readonly pageSize: number
  /** Members of each Bundle. */
  readonly bundle?: object
}

/**
 * A FHIR server of one vendor, written from its public documentation: it refuses what the documentation does not allow. Its log is
 * decoded: `/fhir/Slot?start=… 200`.
 */
export abstract class VendorServer extends LoopbackServer {
  readonly resources: Resource[] = []
  intercept: Intercept = () => false
  /** Changes a Bundle before it is sent. */
  alter: (bundle: object) => object = (bundle) => bundle
  readonly #pages = new Map<string, Paged>()

  constructor(resources: readonly Resource[]) {
    super()
    this.resources.push(...resources)
  }

  open(): Promise<this> {
    return this.listen()
  }

  get base(): string {
    return `${this.origin}/fhir`
  }

  /** The CapabilityStatement without its type. */
  protected abstract readonly statement: object

  /** Returns a Bundle. Throws a `Refusal`. */
  protected abstract search(request: SearchRequest): object

  protected override shown(url: string): string {
    return decodeURIComponent(url)
  }

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.intercept(request, response)) return
    const url = new URL(request.url ?? '', this.origin)
    const [, , type = '', id] = url.pathname.split('/')
    try {
      if (id !== undefined) throw new Refusal(404, 'no such path')
      if (type === 'metadata')
        return void sendJson(response, 200, { resourceType: 'CapabilityStatement', ...this.statement })
      sendJson(response, 200, this.alter(this.search({ type, query: url.searchParams })))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      sendJson(response, error.status, outcome('error', error.message))
    }
  }

  /** The resources of a type; with ids, only these. */
  protected all(type: string, ids?: readonly string[]): Resource[] {
    return this.resources.filter(
      (one) => one.resourceType === type && (ids === undefined || ids.includes(String(one.id))),
    )
  }

  /** The resources to which these refer by an element that the path selects. */
  protected referredBy(resources: readonly Resource[], pick: (resource: Resource) => unknown): Resource[] {
    const names = [...JSON.stringify(resources.map(pick)).matchAll(/"reference":"(\w+\/[\w.-]+)"/g)].map(
      ([, name]) => name,
    )
    return this.resources.filter((one) => names.includes(`${one.resourceType}/${one.id}`))
  }

  /** A result that can be continued by an id and an offset. */
  protected keep(paged: Paged): string {
    const id = randomUUID()
    this.#pages.set(id, paged)
    return id
  }

  protected kept(id: string): Paged {
    const paged = this.#pages.get(id)
    if (paged === undefined) throw new Refusal(410, 'the search has expired')
    return paged
  }
}

/** Refuses other parameters, and those that are repeated although they may be sent once. */
export function requireKnown(query: URLSearchParams, known: readonly string[], repeated: readonly string[] = []): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) throw new Refusal(400, `Unknown parameter ${name}`)
    if (!repeated.includes(name) && query.getAll(name).length > 1) throw new Refusal(400, `${name} must be sent once`)
  }
}

/** The ids of `Type/id` or `id` references, separated by commas. */
export function idsIn(value: string | null): string[] | undefined {
  return value?.split(',').map((one) => one.split('/').at(-1) ?? '')
}

/** The time of a bound with this prefix; undefined without one. */
export function boundIn(query: URLSearchParams, name: string, prefix: string): number | undefined {
  const [bound] = query.getAll(name).filter((value) => value.startsWith(prefix))
  return bound === undefined ? undefined : Date.parse(bound.slice(prefix.length))
}

export const startOf = ({ start }: Resource): number => Date.parse(String(start))
export const endOf = ({ end }: Resource): number => Date.parse(String(end))
