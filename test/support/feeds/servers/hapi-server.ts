import { entryOf, type Resource } from '../fhir-server.ts'
import { boundIn, idsIn, requireKnown, type SearchRequest, startOf, VendorServer } from './vendor-server.ts'

const PARAMETERS = ['_id', 'start', 'status', 'schedule', '_count', '_include', '_include:iterate', '_total']

/**
 * HAPI FHIR JPA R4: a search is a snapshot that continues at the base by `_getpages`, 20 resources a page with the resources that they
 * include. The total is stated on request. Unknown parameters are errors.
 */
export class HapiServer extends VendorServer {
  protected readonly statement = {
    publisher: 'Not provided',
    software: { name: 'HAPI FHIR Server', version: '8.2.0' },
    implementation: { description: 'HAPI FHIR R4 Server' },
    fhirVersion: '4.0.1',
    rest: [{ mode: 'server' }],
  }

  protected search({ type, query }: SearchRequest): object {
    const id = query.get('_getpages')
    if (id !== null) return this.#page(id, Number(query.get('_getpagesoffset')))
    requireKnown(query, PARAMETERS, ['start', '_include:iterate', '_include'])
    const matches = this.#matches(type, query)
    const iterated = query.getAll('_include:iterate').map((one) => one.split(':')[0])
    const isIncluding = query.getAll('_include').includes('Slot:schedule')
    const includedFor = (slots: readonly Resource[]) => (isIncluding ? this.#included(slots, iterated) : [])
    const bundle = query.get('_total') === 'accurate' ? { total: matches.length } : {}
    return this.#page(this.keep({ matches, includedFor, pageSize: 20, bundle }), 0)
  }

  #matches(type: string, query: URLSearchParams): Resource[] {
    const [from = 0, until = Number.POSITIVE_INFINITY] = [boundIn(query, 'start', 'ge'), boundIn(query, 'start', 'lt')]
    const found = this.all(type, idsIn(query.get('_id')))
    return type === 'Slot' ? found.filter((slot) => startOf(slot) >= from && startOf(slot) < until) : found
  }

  #included(slots: readonly Resource[], iterated: readonly (string | undefined)[]): Resource[] {
    const found = new Set(this.referredBy(slots, ({ schedule }) => schedule))
    for (const one of found) {
      if (!iterated.includes(one.resourceType)) continue
      for (const other of this.referredBy([one], (whole) => whole)) found.add(other)
    }
    return [...found]
  }

  #page(id: string, offset: number): object {
    const { matches, includedFor, pageSize, bundle } = this.kept(id)
    const page = matches.slice(offset, offset + pageSize)
    const next = `${this.base}?_getpages=${id}&_getpagesoffset=${offset + pageSize}&_count=${pageSize}&_bundletype=searchset`
    return {
      resourceType: 'Bundle',
      id,
      type: 'searchset',
      meta: { lastUpdated: '2030-01-07T08:00:00.000+00:00' },
      ...bundle,
      link: [
        { relation: 'self', url: `${this.base}/Slot` },
        ...(offset + pageSize < matches.length ? [{ relation: 'next', url: next }] : []),
      ],
      entry: [...page.map((one) => entryOf(one)), ...includedFor(page).map((one) => entryOf(one, 'include'))],
    }
  }
}
