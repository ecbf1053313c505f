import { entryOf, outcome, type Resource } from '../fhir-server.ts'
import { boundIn, idsIn, Refusal, requireKnown, type SearchRequest, startOf, VendorServer } from './vendor-server.ts'

/**
 * A server as the profile assumes those of Epic to be (docs/sources.md): a Slot search needs exactly one `schedule`, a search by id takes one `_id`, nothing is
 * included, and entries of mode `outcome` carry warnings. Pages continue by `sessionID`.
 */
export class EpicServer extends VendorServer {
  protected readonly statement = {
    publisher: 'Not provided',
    software: { name: 'Epic', version: 'May 2030' },
    implementation: { description: 'Epic' },
    fhirVersion: '4.0.1',
    rest: [{ mode: 'server' }],
  }

  protected search({ type, query }: SearchRequest): object {
    const session = query.get('sessionID')
    if (session !== null) return this.#page(type, session)
    const matches = this.#matches(type, query)
    const pageSize = Math.min(Number(query.get('_count') ?? 20), 20)
    return this.#page(type, `${this.keep({ matches, includedFor: () => [], pageSize })}.0`)
  }

  #matches(type: string, query: URLSearchParams): Resource[] {
    if (type === 'Slot') return this.#slots(query)
    if (type === 'Schedule' && !query.has('_id')) return this.#schedules(query)
    requireKnown(query, ['_id', '_count'])
    const ids = idsIn(query.get('_id'))
    if (ids?.length !== 1) throw new Refusal(400, 'Required search parameter has an invalid value: _id')
    return this.all(type, ids)
  }

  #slots(query: URLSearchParams): Resource[] {
    requireKnown(query, ['schedule', 'start', 'status', '_count', '_include', '_include:iterate'], REPEATED)
    const schedules = idsIn(query.get('schedule'))
    if (schedules?.length !== 1) throw new Refusal(400, 'Required search parameter missing from request: schedule')
    const [from = 0, until = Number.POSITIVE_INFINITY] = [boundIn(query, 'start', 'ge'), boundIn(query, 'start', 'lt')]
    return this.all('Slot').filter(
      (slot) =>
        schedules.includes(idsIn(scheduleOf(slot))?.[0] ?? '') && startOf(slot) >= from && startOf(slot) < until,
    )
  }

  #schedules(query: URLSearchParams): Resource[] {
    requireKnown(query, ['actor', '_count'])
    const actors = query.get('actor')?.split(',')
    return this.all('Schedule').filter(
      ({ actor }) => actors === undefined || actors.some((one) => JSON.stringify(actor).includes(`"${one}"`)),
    )
  }

  #page(type: string, session: string): object {
    const [id = '', at = '0'] = session.split('.')
    const { matches, pageSize } = this.kept(id)
    const offset = Number(at)
    const page = matches.slice(offset, offset + pageSize)
    const next = `${this.base}/${type}?sessionID=${id}.${offset + pageSize}`
    const told = outcome(
      'warning',
      matches.length === 0 ? 'Resource request returns no results.' : 'Some results are hidden.',
    )
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      total: matches.length,
      link: [
        { relation: 'self', url: `${this.base}/${type}` },
        ...(offset + pageSize < matches.length ? [{ relation: 'next', url: next }] : []),
      ],
      entry: [...page.map((one) => entryOf(one)), entryOf(told, 'outcome')],
    }
  }
}

const REPEATED = ['start', '_include:iterate']

function scheduleOf({ schedule }: Resource): string {
  return (schedule as { reference: string }).reference
}
