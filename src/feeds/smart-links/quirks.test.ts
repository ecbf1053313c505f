import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, ndjson, type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { QUIRKS } from '../../../test/support/feeds/quirks.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import type { Source } from '../connector.ts'
import { smartLinks } from './connector.ts'

const OLD = 'http://fhir-registry.smarthealthit.org/StructureDefinition'
const NEW = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'

const LISTED = { '/l': 'Location', '/p': 'PractitionerRole', '/s': 'Schedule', '/x': 'Slot' }
const place = {
  resourceType: 'Location',
  id: 'l1',
  name: 'Clinic',
  address: { city: 'Trenton', state: 'NJ', postalCode: '08601' },
}
const schedule = { resourceType: 'Schedule', id: 's1', actor: [{ reference: 'Location/l1' }] }
const slot = {
  resourceType: 'Slot',
  id: 'x1',
  schedule: { reference: 'Schedule/s1' },
  status: 'free',
  start: '2026-03-21T10:00:00-04:00',
  end: '2026-03-21T10:15:00-04:00',
}

/** What differs from a plain feed of one slot, and what is to come of it. */
interface Fixture {
  readonly files?: Record<string, Published>
  /** Where the manifest is, if not at `/$bulk-publish`. */
  readonly path?: string
  verify(draft: RecordedDraft): void
}

const only = (draft: RecordedDraft) => {
  assert.deepEqual(draft.rejected, [])
  assert.equal(draft.slots.length, 1)
  return draft.slots[0]
}
const isRead = (draft: RecordedDraft) => void only(draft)

const FIXTURES: Readonly<Record<keyof typeof QUIRKS, Fixture>> = {
  slotIdRepeated: {
    files: {
      '/x': ndjson(slot, { ...slot, start: '2026-03-21T10:15:00-04:00', end: '2026-03-21T10:30:00-04:00' }),
    },
    verify: ({ slots }) => assert.equal(new Set(slots.map(({ id }) => id)).size, 2),
  },
  idReusedNextMonth: {
    files: {
      '/x': ndjson(slot, { ...slot, start: '2026-04-21T10:00:00-04:00', end: '2026-04-21T10:15:00-04:00' }),
    },
    verify: ({ slots }) => assert.equal(new Set(slots.map(({ id }) => id)).size, 2),
  },
  zipWithoutZero: {
    files: { '/l': ndjson({ ...place, address: { ...place.address, postalCode: '8332-376' } }) },
    verify: (draft) => assert.equal(only(draft).offering.location?.postalCode, '08332-0376'),
  },
  offsetOutOfSeason: {
    files: {
      '/x': ndjson({ ...slot, start: '2026-07-21T10:00:00-05:00', end: '2026-07-21T10:15:00-05:00' }),
    },
    verify: (draft) => assert.equal(only(draft).start, '2026-07-21T10:00:00-05:00'),
  },
  shortOffset: {
    files: { '/x': ndjson({ ...slot, start: '2026-03-21T10:00:00-04', end: '2026-03-21T10:15:00-0400' }) },
    verify: (draft) => {
      const { start, end, startMs } = only(draft)
      assert.deepEqual([start, end], [slot.start, slot.end])
      assert.equal(startMs, Date.parse(slot.start))
    },
  },
  sixteenHourSlot: {
    files: {
      '/x': ndjson({ ...slot, start: '2026-03-21T06:00:00-04:00', end: '2026-03-21T22:00:00-04:00' }),
    },
    verify: (draft) => assert.equal(only(draft).endMs - only(draft).startMs, 16 * 3_600_000),
  },
  capacityAsText: {
    files: { '/x': ndjson({ ...slot, extension: [{ url: `${OLD}/slot-capacity`, valueString: '12' }] }) },
    verify: (draft) => assert.equal(only(draft).capacity, 12),
  },
  codeNull: {
    files: {
      '/s': ndjson({
        ...schedule,
        serviceType: [{ coding: [{ code: null, display: 'Visit' }] }],
        extension: [{ url: `${OLD}/vaccine-product`, valueCoding: { code: null } }],
      }),
    },
    verify: (draft) => {
      const { serviceTypeCode, serviceTypeText } = only(draft).offering
      assert.deepEqual([serviceTypeCode, serviceTypeText], [undefined, 'Visit'])
    },
  },
  manifestErrorZero: { files: { '/$bulk-publish': manifest(LISTED, { error: 0 }) }, verify: isRead },
  stateAsString: { files: listed({ extension: { state: 'NJ' } }), verify: isRead },
  manifestExtensionNull: { files: listed({ extension: null }), verify: isRead },
  trailingSlash: { path: '/$bulk-publish/', files: { '/$bulk-publish/': manifest(LISTED) }, verify: isRead },
  manifestQuery: {
    path: '/$bulk-publish?locale=en',
    files: { '/$bulk-publish?locale=en': manifest(LISTED) },
    verify: isRead,
  },
  dollarEncoded: {
    path: '/%24bulk-publish',
    files: { '/%24bulk-publish': manifest(LISTED) },
    verify: isRead,
  },
  relativeUrl: {
    path: '/feed/$bulk-publish',
    files: {
      '/feed/$bulk-publish': manifest({ '../l': 'Location', './s': 'Schedule', 'x?locale=en': 'Slot' }),
      '/feed/s': ndjson(schedule),
      '/feed/x?locale=en': ndjson(slot),
    },
    verify: isRead,
  },
  listedTwice: {
    files: {
      '/$bulk-publish': JSON.stringify({
        output: ['Location', 'Schedule', 'Slot', 'Slot', 'Organization'].map((type) => ({
          type,
          url: '/all',
        })),
      }),
      '/all': ndjson(place, schedule, slot),
    },
    verify: isRead,
  },
  nothingListed: {
    files: { '/$bulk-publish': manifest({}) },
    verify: ({ slots, rejected }) => assert.deepEqual([slots, rejected], [[], []]),
  },
  noFinalNewline: { files: { '/x': JSON.stringify(slot), '/s': JSON.stringify(schedule) }, verify: isRead },
  carriageReturns: {
    files: { '/x': `\ufeff${JSON.stringify(slot)}\r\n\r\n`, '/l': `${JSON.stringify(place)}\r\n` },
    verify: isRead,
  },
  rawTab: {
    files: { '/l': ndjson({ ...place, name: 'Clinic <TAB> "East"' }).replace(' <TAB> ', '\t\t') },
    verify: (draft) => assert.equal(only(draft).offering.location?.name, 'Clinic "East"'),
  },
  twoActors: {
    files: {
      '/p': ndjson({ resourceType: 'PractitionerRole', id: 'p1', practitioner: { display: 'Dr. Ada Roe' } }),
      '/s': ndjson({
        ...schedule,
        actor: [{ reference: 'PractitionerRole/p1' }, { reference: 'Location/l1' }],
      }),
    },
    verify: (draft) => {
      const { location, provider } = only(draft).offering
      assert.deepEqual([location?.city, provider?.name], ['Trenton', 'Dr. Ada Roe'])
    },
  },
  deviceActor: {
    files: {
      '/s': ndjson({
        ...schedule,
        actor: [{ reference: 'Device/d1', display: 'Scanner' }, ...schedule.actor],
      }),
    },
    verify: (draft) => {
      const { location, provider } = only(draft).offering
      assert.deepEqual([location?.city, provider], ['Trenton', undefined])
    },
  },
  danglingActor: {
    files: { '/s': ndjson({ ...schedule, actor: [{ reference: 'Location/gone' }] }) },
    verify: (draft) => {
      const { location, isVirtual, modalities } = only(draft).offering
      assert.deepEqual([location, isVirtual, modalities], [undefined, false, undefined])
    },
  },
  danglingSchedule: {
    files: { '/x': ndjson({ ...slot, schedule: { reference: 'Schedule/gone' } }, slot) },
    verify: ({ slots, rejected }) => {
      assert.equal(slots.length, 1)
      assert.equal(rejected[0].line, 1)
      assert.match(rejected[0].file, /\/x$/)
      assert.match(rejected[0].reason, /schedule must be in the feed: got "Schedule\/gone"/)
      assert.match(rejected[0].sample, /^\{"resourceType":"Slot"/)
    },
  },
  phoneAsString: {
    files: {
      '/x': ndjson(
        { ...slot, extension: [{ url: `${OLD}/booking-phone`, valueString: '555-0100' }] },
        {
          ...slot,
          id: 'x2',
          extension: [{ url: `${NEW}/booking-phone`, valueContactPoint: { system: 'phone', value: '555-0100' } }],
        },
      ),
    },
    verify: ({ slots }) =>
      assert.deepEqual(
        slots.map(({ offering }) => offering.bookingPhone),
        ['555-0100', '555-0100'],
      ),
  },
  specialtyOfDraft: {
    files: {
      '/s': ndjson({
        ...schedule,
        extension: [{ url: `${OLD}/specialty`, valueCoding: { code: '1', display: 'General medicine' } }],
      }),
    },
    verify: (draft) => assert.deepEqual(only(draft).offering.provider, { specialty: 'General medicine' }),
  },
  codingForConcept: {
    files: {
      '/s': ndjson({ ...schedule, serviceType: [{ system: 'x', code: '124', display: 'General Practice' }] }),
    },
    verify: (draft) => {
      const { serviceTypeCode, serviceTypeText } = only(draft).offering
      assert.deepEqual([serviceTypeCode, serviceTypeText], ['124', 'General Practice'])
    },
  },
  plainContentType: {
    files: {
      '/x': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(ndjson(slot)),
    },
    verify: isRead,
  },
  weakTagNoStore: {
    files: {
      '/x': (_, response) => response.writeHead(200, { etag: 'W/"1"', 'cache-control': 'no-store' }).end(ndjson(slot)),
    },
    verify: isRead,
  },
}

/** A manifest whose every entry has these fields too. */
function listed(more: object): Record<string, Published> {
  const output = Object.entries(LISTED).map(([url, type]) => ({ type, url, ...more }))
  return { '/$bulk-publish': JSON.stringify({ output }) }
}

for (const [name, { we }] of Object.entries(QUIRKS)) {
  const { files, path = '/$bulk-publish', verify } = FIXTURES[name as keyof typeof QUIRKS]
  test(`${name}: we ${we}`, async () => {
    const plain = {
      '/$bulk-publish': manifest(LISTED),
      '/l': ndjson(place),
      '/p': '',
      '/s': ndjson(schedule),
      '/x': ndjson(slot),
    }
    await using publisher = await Publisher.open({ ...plain, ...files })
    const draft = new RecordedDraft()
    const source: Source = {
      slug: 'quirky',
      format: 'smart-links',
      url: publisher.origin + path,
      options: {},
      strict: false,
    }
    await smartLinks({ allowPrivate: true }).read(source, draft, new AbortController().signal)
    verify(draft)
  })
}
