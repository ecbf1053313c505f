import fc from 'fast-check'
import type { BulkChange, BulkPublisher, BulkResource } from './bulk-publisher.ts'
import { SCHEDULING_LOCATION } from './servers/oracle-server.ts'

/** An action of a publisher. */
export type BulkAction =
  | { readonly kind: 'root'; readonly pages: number; readonly isChain: boolean; readonly before: readonly BulkChange[] }
  | { readonly kind: 'update'; readonly pages: readonly (readonly BulkChange[])[] }
  | { readonly kind: 'close' }
  | { readonly kind: 'tear' | 'fail' | 'kill' | 'nothing' }

const id = (letter: string, count: number) => fc.integer({ min: 1, max: count }).map((n) => `${letter}${n}`)
const referenceTo = (type: string, ids: fc.Arbitrary<string>) => ids.map((one) => ({ reference: `${type}/${one}` }))
const word = fc.constantFrom('North', 'South', 'East', 'West')

const LOCATIONS = id('l', 3)
const SERVICES = id('h', 2)
const PRACTITIONERS = id('p', 2)
const ROLES = id('r', 3)
const SCHEDULES = id('s', 4)
const SLOTS = id('x', 12)

const location = fc.record({
  resourceType: fc.constant('Location'),
  id: LOCATIONS,
  name: word,
  address: fc.constantFrom({ state: 'MA' }, { state: 'IL' }),
})
const service = fc.record({
  resourceType: fc.constant('HealthcareService'),
  id: SERVICES,
  type: word.map((text) => [{ text }]),
  location: fc.array(referenceTo('Location', LOCATIONS), { maxLength: 1 }),
})
const practitioner = fc.record({
  resourceType: fc.constant('Practitioner'),
  id: PRACTITIONERS,
  name: word.map((text) => [{ text }]),
})
const role = fc.record({
  resourceType: fc.constant('PractitionerRole'),
  id: ROLES,
  practitioner: referenceTo('Practitioner', PRACTITIONERS),
  location: fc.array(referenceTo('Location', LOCATIONS), { maxLength: 2 }),
  healthcareService: fc.array(referenceTo('HealthcareService', SERVICES), { maxLength: 1 }),
})
const schedule = fc.record({
  resourceType: fc.constant('Schedule'),
  id: SCHEDULES,
  actor: fc.array(
    fc.oneof(
      referenceTo('Location', LOCATIONS),
      referenceTo('PractitionerRole', ROLES),
      referenceTo('HealthcareService', SERVICES),
    ),
    { minLength: 1, maxLength: 2 },
  ),
})
const slot = fc
  .record({
    id: SLOTS,
    schedule: referenceTo('Schedule', SCHEDULES),
    // `wrong` is rejected, `entered-in-error` is withheld.
    status: fc.constantFrom('free', 'free', 'busy', 'entered-in-error', 'wrong'),
    hour: fc.integer({ min: 10, max: 15 }),
    place: fc.option(referenceTo('Location', LOCATIONS)),
  })
  .map(({ hour, place, ...more }) => ({
    resourceType: 'Slot',
    ...more,
    ...(place !== null && { extension: [{ url: SCHEDULING_LOCATION, valueReference: place }] }),
    start: `2030-03-21T${hour}:00:00Z`,
    end: `2030-03-21T${hour}:15:00Z`,
  }))

const resource: fc.Arbitrary<BulkResource> = fc.oneof(
  { weight: 6, arbitrary: slot },
  { weight: 2, arbitrary: schedule },
  location,
  role,
  practitioner,
  service,
)
const deletion = fc.oneof(
  { weight: 4, arbitrary: SLOTS.map((one) => `Slot/${one}` as const) },
  SCHEDULES.map((one) => `Schedule/${one}` as const),
  LOCATIONS.map((one) => `Location/${one}` as const),
  ROLES.map((one) => `PractitionerRole/${one}` as const),
)
const change: fc.Arbitrary<BulkChange> = fc.oneof({ weight: 3, arbitrary: resource }, deletion)

/** Any sequence of publications and faults. */
export const bulkActions = (maxLength: number): fc.Arbitrary<BulkAction[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('update' as const),
          pages: fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 2 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('root' as const),
          pages: fc.integer({ min: 1, max: 3 }),
          isChain: fc.boolean(),
          before: fc.array(resource, { maxLength: 4 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('tear', 'fail', 'kill', 'nothing') }) },
    ),
    { maxLength },
  )

/** The data set that every sequence begins with. */
export function initialResources(): BulkResource[] {
  return fc.sample(fc.oneof(slot, schedule, location, role, practitioner, service), { numRuns: 40, seed: 7 })
}

/** Versions that come first in a root count only if nothing follows: those of resources that the data set has. */
export function publish(publisher: BulkPublisher, action: BulkAction): void {
  if (action.kind === 'close') publisher.close()
  if (action.kind === 'update') for (const changes of action.pages) publisher.update(changes)
  if (action.kind !== 'root') return
  const { resources } = publisher
  const before = action.before.filter(
    (one) => typeof one !== 'string' && resources.has(`${one.resourceType}/${one.id}`),
  )
  publisher.publishRoot({ ...action, before })
}
