import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { type FileType, type Loose, NOW_MS, PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { checkFeed } from './check-feed.ts'
import type { Feed } from './feed.ts'

/** Unusual values that JSON can represent. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    { toString: 5, valueOf: 5 },
    { length: -1 },
    [[]],
    [null],
    '\ud800',
    -0,
    'Slot/x',
    '2026-06-10T10:00:00-04',
  ),
)

const TYPES: readonly FileType[] = [
  'Location',
  'Schedule',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
  'Slot',
]

/** Random changes of values in resources. */
const changes = fc.array(
  fc.record({
    type: fc.constantFrom(...TYPES),
    steps: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
    value: odd,
  }),
  { minLength: 1, maxLength: 6 },
)

/** Descends by key index and replaces the last value. */
function change(resource: Loose, steps: readonly number[], value: unknown): void {
  let within = resource
  for (const [at, step] of steps.entries()) {
    const keys = Object.keys(within)
    const key = keys[step % Math.max(1, keys.length)] ?? 'id'
    const inner: unknown = within[key]
    if (at === steps.length - 1 || typeof inner !== 'object' || inner === null) {
      within[key] = structuredClone(value)
      return
    }
    within = inner as Loose
  }
}

/** A feed in memory. */
function feedOf(planted: PlantedFeed): Feed {
  const files = planted.toFiles('http://publisher.example')
  const opened = (name: string) => ({
    name,
    body: (async function* () {
      yield Buffer.from(files.get(name) ?? '')
    })(),
  })
  return {
    name: 'fuzzed',
    open: async () => ({ ...opened('$bulk-publish'), base: new URL('http://publisher.example/') }),
    openFile: async (url) => opened(new URL(url).pathname.slice(1)),
    openPage: async () => undefined,
    close() {},
  }
}

test('counts every line and explains every rejection, for arbitrary resources', async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.boolean(),
      fc.constantFrom(undefined, 'slot-directory'),
      async (all, strict, profile) => {
        const planted = new PlantedFeed('stu1')
        for (const { type, steps, value } of all) change(planted.resource(type), steps, value)
        const { lines, counts, unreadable } = await checkFeed(feedOf(planted), { clock: () => NOW_MS, strict, profile })
        assert.equal(unreadable, undefined)
        assert.equal(lines.served + lines.rejected + lines.withheld + lines.superseded, lines.slots)
        assert.equal(lines.slots, 3)
        if (lines.rejected + lines.directoryRejected > 0) assert.ok(counts.error > 0)
      },
    ),
    { numRuns: casesOf(1500) },
  )
})

test('reports a state that is no text, not even by toString()', async () => {
  const planted = new PlantedFeed('stu1')
  for (const { extension } of planted.manifest.output) extension.state = [{ toString: 5, valueOf: 5 }]
  const { findings } = await checkFeed(feedOf(planted), { clock: () => NOW_MS })
  const rules = findings.map(({ rule }) => rule)
  assert.deepEqual(
    ['output-state', 'output-state-differs'].map((rule) => rules.includes(rule)),
    [true, true],
  )
})

test('ends and explains unreadable feeds, for arbitrary manifests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), odd), { minLength: 1 }),
      async (all) => {
        const planted = new PlantedFeed('stu1')
        for (const [steps, value] of all) change(planted.manifest, steps, value)
        const { unreadable, counts } = await checkFeed(feedOf(planted), {
          clock: () => NOW_MS,
          profile: 'slot-directory',
        })
        if (unreadable !== undefined) assert.ok(counts.error > 0)
      },
    ),
    { numRuns: casesOf(500) },
  )
})
