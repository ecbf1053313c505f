import { entryOf, type Resource } from '../fhir-server.ts'
import { boundIn, idsIn, Refusal, requireKnown, type SearchRequest, startOf, VendorServer } from './vendor-server.ts'

const SLOT_PARAMETERS = ['_id', 'service-type', 'schedule.actor', '-location', 'start', '_count', '_include']

/** The URL of the extension that names the place of a Slot. */
export const SCHEDULING_LOCATION = 'https://fhir-ehr.cerner.com/r4/StructureDefinition/scheduling-location'

/**
 * Oracle Health Millennium R4 (fhir.cerner.com, Slot and Schedule): a Slot search needs `service-type` (or ids) and `start` with both `ge`
 * and `lt`; it takes one `_include`, returns free Slots only, states no total, and continues by `-pageContext`. A Schedule is found by id.
 * The place is an extension of the Slot; the Schedule's actor is a Practitioner.
 */
export class OracleServer extends VendorServer {
  protected readonly statement = {
    name: 'CernerCapabilityStatement',
    publisher: 'Cerner',
    description: 'Cerner implementation of FHIR on top of Millennium',
    fhirVersion: '4.0.1',
    rest: [{ mode: 'server' }],
  }

  protected search({ type, query }: SearchRequest): object {
    const context = query.get('-pageContext')
    if (context !== null) return this.#page(context)
    if (type !== 'Slot') return this.#byIds(type, query)
    requireKnown(query, SLOT_PARAMETERS, ['start'])
    const include = query.get('_include')
    if (include !== null && include !== 'Slot:schedule' && include !== 'Schedule:actor:Practitioner')
      throw new Refusal(400, '_include must be Slot:schedule or Schedule:actor:Practitioner')
    const matches = this.#matches(query)
    const includedFor = (slots: readonly Resource[]) => {
      const schedules = this.referredBy(slots, ({ schedule }) => schedule)
      if (include === 'Slot:schedule') return schedules
      return include === null ? [] : this.referredBy(schedules, ({ actor }) => actor).filter(isPractitioner)
    }
    const pageSize = Math.min(Number(query.get('_count') ?? 50), 20)
    return this.#page(`${this.keep({ matches, includedFor, pageSize })}.0`)
  }

  #matches(query: URLSearchParams): Resource[] {
    const services = query.get('service-type')?.split(',')
    if (services === undefined) throw new Refusal(400, 'service-type is required')
    const [from, until] = [boundIn(query, 'start', 'ge'), boundIn(query, 'start', 'lt')]
    if (query.getAll('start').length !== 2 || from === undefined || until === undefined)
      throw new Refusal(400, 'both the prefixes ge and lt must be used with start')
    return this.all('Slot')
      .filter((slot) => slot.status === 'free' && startOf(slot) >= from && startOf(slot) < until)
      .filter(({ serviceType }) => services.some((code) => JSON.stringify(serviceType).includes(`"${code}"`)))
      .sort((a, b) => startOf(a) - startOf(b))
  }

  #page(context: string): object {
    const [id = '', at = '0'] = context.split('.')
    const { matches, includedFor, pageSize } = this.kept(id)
    const offset = Number(at)
    const page = matches.slice(offset, offset + pageSize)
    const next = `${this.base}/Slot?-pageContext=${id}.${offset + pageSize}&-pageDirection=NEXT`
    return {
      resourceType: 'Bundle',
      id,
      type: 'searchset',
      link: [
        { relation: 'self', url: `${this.base}/Slot` },
        ...(offset + pageSize < matches.length ? [{ relation: 'next', url: next }] : []),
      ],
      entry: [
        ...page.map((slot) => entryOf(slot)),
        ...includedFor(page).map((resource) => entryOf(resource, 'include')),
      ],
    }
  }

  #byIds(type: string, query: URLSearchParams): object {
    requireKnown(query, ['_id', '_count'])
    const ids = idsIn(query.get('_id'))
    if (ids === undefined) throw new Refusal(400, '_id is required')
    return { resourceType: 'Bundle', type: 'searchset', entry: this.all(type, ids).map((one) => entryOf(one)) }
  }
}

const isPractitioner = ({ resourceType }: Resource) => resourceType === 'Practitioner'
