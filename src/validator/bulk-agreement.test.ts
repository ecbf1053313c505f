import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bulkFeed, deletionOf, next } from '../../test/support/validator/bulk-feed.ts'
import { assertAgrees, checkAndSync } from '../../test/support/validator/check-planted.ts'
import { type Loose, PlantedFeed } from '../../test/support/validator/planted-feed.ts'

const TYPES = ['Slot', 'Schedule', 'Location'] as const
type Type = (typeof TYPES)[number]

const idOf = ({ type, id }: { readonly type: Type; readonly id: number }) => `${type.toLowerCase()}${id}`

const name = fc.record({ type: fc.constantFrom<Type>('Slot', 'Slot', ...TYPES), id: fc.nat(3) })

/** One resource: the clock and the reference tell its versions apart. */
const resource = fc.record({
  name,
  status: fc.constantFrom('free', 'busy', 'entered-in-error', 'open'),
  hour: fc.integer({ min: 10, max: 15 }),
  schedule: fc.nat(3),
  hasId: fc.constantFrom(true, true, true, true, false),
})

/** A file has each resource once: of several versions, a check takes the first and a sync the last. */
const file = fc.record({
  type: fc.constantFrom(...TYPES),
  resources: fc.uniqueArray(resource, { maxLength: 5, selector: ({ name }) => idOf(name) }),
})

/** Pages with files of one type each, and with deletions. */
const pages = fc.array(
  fc.record({
    files: fc.array(file, { maxLength: 4 }),
    deleted: fc.array(name, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
)
type Pages = typeof pages extends fc.Arbitrary<infer Value> ? Value : never

function written({ name, status, hour, schedule, hasId }: Pages[number]['files'][number]['resources'][number]): Loose {
  const { Slot: slots = [], Schedule: schedules = [], Location: locations = [] } = new PlantedFeed('stu1').files
  const id = hasId ? { id: idOf(name) } : { id: undefined }
  if (name.type === 'Location') return { ...locations[0], ...id, name: `Clinic ${hour}` }
  const reference = (type: Type) => `${type}/${idOf({ type, id: schedule })}`
  if (name.type === 'Schedule') return { ...schedules[0], ...id, actor: [{ reference: reference('Location') }] }
  const [start, end] = [`2026-06-10T${hour}:00:00-04:00`, `2026-06-10T${hour}:20:00-04:00`]
  return { ...slots[0], ...id, status, start, end, schedule: { reference: reference('Schedule') } }
}

/** A feed with these pages; some files have resources of other types. */
function feedOf(all: Pages): PlantedFeed {
  const { manifest, generation } = bulkFeed()
  const feed = new PlantedFeed(generation)
  for (const [at, { files, deleted }] of all.entries()) {
    const output = files.map(({ type, resources }, file) => {
      const key = `file${at}-${file}`
      feed.more.set(key, resources.map(written))
      return { type, url: `ORIGIN/${key}.ndjson` }
    })
    feed.more.set(
      `deleted${at}`,
      deleted.map((each) => deletionOf(`${each.type}/${idOf(each)}`)),
    )
    const link = next(at < all.length - 1 ? `ORIGIN/page${at + 1}` : '#pending')
    const page = { ...manifest, output, deleted: [{ url: `ORIGIN/deleted${at}.ndjson` }], link }
    if (at > 0) feed.pages.set(`page${at}`, page)
    else {
      for (const key of Object.keys(feed.manifest)) delete feed.manifest[key]
      Object.assign(feed.manifest, page)
    }
  }
  return feed
}

test('counts the slots that a sync serves, for any pages of versions and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(pages, async (all) => {
      const { report, synced } = await checkAndSync(feedOf(all))
      assert.ok(synced)
      assertAgrees(report, synced)
      const { free, busy } = report.served.byStatus
      const statuses = synced.slots.map(({ status }) => status)
      assert.deepEqual(
        [free, busy],
        ['free', 'busy'].map((status) => statuses.filter((one) => one === status).length),
      )
    }),
    { numRuns: 40 },
  )
})
