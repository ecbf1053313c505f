import { DAY_MS } from '../../../../src/lib/time.ts'
import type { Resource } from '../fhir-server.ts'
import { boundIn, endOf, Refusal, requireKnown, type SearchRequest, startOf, VendorServer } from './vendor-server.ts'

const PARAMETERS = ['start', 'end', 'status', 'searchFilter', '_include', '_include:recurse', '_count']

/** The includes that a provider supports. */
const RECURSED = ['Schedule:actor:Practitioner', 'Schedule:actor:Location', 'Location:managingOrganization']

/**
 * A GP Connect provider (Appointment Management, Search for free slots, STU3): `start=ge`, `end=le`, `status=free` and
 * `_include=Slot:schedule` are required, two weeks are the longest range, and a Slot must lie in it completely. One page without search
 * modes and total. Nothing can be searched by id.
 */
export class GpConnectServer extends VendorServer {
  protected readonly statement = {
    version: '1.2.7',
    name: 'GP Connect',
    publisher: 'A supplier',
    description: 'This server implements the GP Connect API version 1.2.7',
    software: { name: 'Server', version: '3.0.0' },
    fhirVersion: '3.0.1',
    rest: [{ mode: 'server' }],
  }

  protected search({ type, query }: SearchRequest): object {
    if (type !== 'Slot') throw new Refusal(400, `${type} cannot be searched`)
    requireKnown(query, PARAMETERS, ['searchFilter', '_include:recurse'])
    const [from, until] = [boundIn(query, 'start', 'ge'), boundIn(query, 'end', 'le')]
    if (from === undefined || until === undefined) throw new Refusal(422, 'start=ge and end=le are required')
    if (until - from > 14 * DAY_MS) throw new Refusal(422, 'the range must be at most two weeks')
    if (query.get('status') !== 'free') throw new Refusal(422, 'status must be free')
    if (query.get('_include') !== 'Slot:schedule') throw new Refusal(422, '_include=Slot:schedule is required')
    const recursed = query.getAll('_include:recurse')
    if (recursed.some((one) => !RECURSED.includes(one))) throw new Refusal(422, `_include:recurse must be known`)
    const slots = this.all('Slot').filter(
      (slot) => slot.status === 'free' && startOf(slot) >= from && endOf(slot) <= until,
    )
    const schedules = this.referredBy(slots, ({ schedule }) => schedule)
    const actors = this.referredBy(schedules, ({ actor }) => actor).filter(({ resourceType }) =>
      recursed.includes(`Schedule:actor:${resourceType}`),
    )
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      entry: [...slots, ...schedules, ...actors].map(entryWithoutMode),
    }
  }
}

function entryWithoutMode(resource: Resource): object {
  return { fullUrl: `${resource.resourceType}/${resource.id}`, resource }
}
