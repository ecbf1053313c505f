import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { readText } from '../../../test/support/feeds/read-text.ts'
import { encodeOffering, encodeSlot } from '../../slot/slot.ts'
import { FeedFailure } from '../connector.ts'
import { csvTemplate } from './csv-columns.ts'

const SLOT = {
  resourceType: 'Slot',
  id: 'one',
  schedule: { reference: 'Schedule/s' },
  status: 'free',
  start: '2030-01-07T10:00:00-05:00',
  end: '2030-01-07T10:30:00-05:00',
}
const DIRECTORY = [
  {
    resourceType: 'Schedule',
    id: 's',
    actor: [{ reference: 'Location/l' }, { reference: 'PractitionerRole/r' }],
  },
  { resourceType: 'Location', id: 'l', name: 'Clinic', address: { city: 'Lynn', state: 'MA' } },
  { resourceType: 'PractitionerRole', id: 'r', practitioner: { reference: 'Practitioner/p' } },
  { resourceType: 'Practitioner', id: 'p', name: [{ text: 'Ana Rivera' }] },
  { resourceType: 'HealthcareService', id: 'h', type: [{ text: 'Flu' }] },
]
const RECORD = {
  id: 'two',
  start: '2030-01-07T11:00:00-05:00',
  end: '2030-01-07T11:30:00-05:00',
  scheduleId: 'x',
  publisher: 'another',
  isVirtual: true,
  modalities: ['virtual'],
}

const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const bundle = (values: readonly object[], more: object = {}) =>
  JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: values.map((resource) => ({ resource })),
    ...more,
  })

test('resolves references of slots in any order and every format', async () => {
  const whole = [SLOT, ...DIRECTORY, RECORD]
  const shuffled = fc.shuffledSubarray(whole, { minLength: whole.length })
  const form = fc.constantFrom(lines, bundle, (values: readonly object[]) => JSON.stringify(values, null, 2))
  const property = fc.asyncProperty(
    shuffled,
    form,
    fc.integer({ min: 1, max: 300 }),
    async (values, write, pieceBytes) => {
      const { draft, notes, reasons } = await readText(write(values), { pieceBytes })
      assert.deepEqual(reasons, [])
      assert.deepEqual([notes.resources, notes.sentences], [DIRECTORY.length, []])
      const [fhir, ours] = draft.slots.toSorted((a, b) => a.startMs - b.startMs)
      assert.deepEqual(fhir.offering.location, { name: 'Clinic', city: 'Lynn', state: 'MA' })
      assert.equal(fhir.offering.provider?.name, 'Ana Rivera')
      assert.deepEqual([ours.offering.publisher, ours.offering.isVirtual], ['clinic', true])
    },
  )
  await fc.assert(property, { numRuns: casesOf(200) })
})

test('reads responses of /v1 with ids of its own source', async () => {
  const { draft } = await readText(csvTemplate())
  const slots = draft.slots.map((slot) => JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering)))
  const elements = slots.map((slot) => JSON.stringify(slot)).join(',\n')
  const documents = [{ slots, total: 2 }, slots].map((each) => JSON.stringify(each))
  for (const text of [...documents, `{"slots":[\n${elements}\n],"total":2}\n`, `[\n${elements}\n]`, lines(slots)]) {
    const { draft: again, reasons } = await readText(text)
    assert.deepEqual(reasons, [])
    const back = again.slots.map((slot) => JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering)))
    assert.deepEqual(
      back.map(({ id: _, ...slot }) => slot),
      slots.map(({ id: _, ...slot }) => slot),
    )
    assert.notEqual(back[0].id, slots[0].id)
  }
})

for (const [system, a, b] of [
  ['uuid', '8f7c1b1e-0000-4000-8000-000000000001', '8f7c1b1e-0000-4000-8000-000000000002'],
  // FHIR R4, Bundle: fullUrl is a URL, a UUID or an OID.
  ['oid', '1.2.840.1', '1.2.840.2'],
])
  test(`resolves references to the fullUrl of Bundle entries: urn:${system}`, async () => {
    const entry = [
      {
        fullUrl: `urn:${system}:${a}`,
        resource: { ...SLOT, id: undefined, schedule: { reference: `urn:${system}:${b}` } },
      },
      { fullUrl: `urn:${system}:${b}`, resource: { ...DIRECTORY[0], id: 's' } },
      ...DIRECTORY.slice(1).map((resource) => ({
        fullUrl: `http://x.example/${resource.resourceType}/${resource.id}`,
        resource,
      })),
    ]
    const { draft, reasons } = await readText(JSON.stringify({ resourceType: 'Bundle', entry }))
    assert.deepEqual(reasons, [])
    assert.equal(draft.slots[0].offering.location?.name, 'Clinic')
  })

test('notes that a file is one of several pages, and ignored resources', async () => {
  const { notes } = await readText(JSON.stringify({ slots: [RECORD], total: 40 }))
  assert.deepEqual(notes.sentences, ['The file contains 1 of 40 slots: it is a single page of a longer list.'])
  const [schedule, slot] = [
    { resourceType: 'Schedule', id: '1', actor: [{ display: 'Dr. Rivera' }] },
    {
      resourceType: 'Slot',
      id: '1',
      schedule: { reference: 'Schedule/1' },
      status: 'free',
      start: '2030-01-07T10:00:00Z',
      end: '2030-01-07T10:30:00Z',
    },
  ]
  const entry = [schedule, slot].map((resource) => ({ resource }))
  const searchset = { resourceType: 'Bundle', type: 'searchset', entry }
  const next = [{ relation: 'self' }, { relation: 'next', url: 'https://clinic.example/?page=2' }]
  for (const [bundle, said] of [
    [{ ...searchset, total: 40 }, ['The file contains 2 of 40 results: it is a single page of a longer list.']],
    [{ ...searchset, link: next }, ['The Bundle links to a next page: it is only one page of a search.']],
    [{ ...searchset, total: 1, link: next.slice(0, 1) }, []],
    [{ ...searchset, total: 1, link: null }, []],
  ] as const) {
    const { notes: ofBundle, draft } = await readText(JSON.stringify(bundle))
    assert.deepEqual([ofBundle.sentences, draft.slots.length], [said, 1])
  }
  const patients = Array(3).fill({ resourceType: 'Patient', id: 'x' })
  const { notes: more, reasons } = await readText(
    lines([...patients, { resourceType: 'Organization' }, { resourceType: '__proto__' }]),
  )
  assert.deepEqual(reasons, [])
  assert.deepEqual(more.sentences, ['Ignored resources that slots do not need: 3 Patient, 1 Organization, 1 others.'])
})

test('lists the members of slots that are ignored, and guesses which are meant', async () => {
  const { draft, notes } = await readText(
    lines([
      SLOT,
      ...DIRECTORY,
      { ...RECORD, slotStatus: 'busy', location: { city: 'Lynn', zip: '01901' } },
      { ...RECORD, id: 'three', slotStatus: 'busy', colour: 'red', identifier: [{ value: 'x' }] },
    ]),
  )
  assert.equal(draft.slots.length, 3)
  assert.deepEqual(notes.sentences, [
    'Unknown members were ignored: "slotStatus" (did you mean status?), "location.zip" (did you mean location.postalCode?), "colour".',
  ])
})

test('fails as a whole if slots are missing: an error of a server, or a Bundle in another', async () => {
  const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', diagnostics: 'Too many requests' }] }
  for (const file of [lines([outcome]), bundle([outcome, SLOT, ...DIRECTORY])])
    await assert.rejects(readText(file), { name: 'FeedFailure', message: /server reports error: Too many requests$/ })
  const inner = JSON.parse(bundle([SLOT, ...DIRECTORY]))
  await assert.rejects(readText(bundle([inner])), { name: 'FeedFailure', message: /a Bundle must not contain another/ })
  const warning = { resourceType: 'OperationOutcome', issue: [{ severity: 'warning' }] }
  assert.equal((await readText(bundle([warning, SLOT, ...DIRECTORY]))).draft.slots.length, 1)
})

test('rejects a file that ends within a line as truncated', async () => {
  const text = `${lines([RECORD, { ...RECORD, id: 'three' }])}\n{"id":"four","sta`
  await assert.rejects(readText(text), /it is truncated: its last line, 3, has no line end/)
  const { draft, reasons } = await readText(`${text}\n`)
  assert.deepEqual([draft.slots.length, reasons.length], [2, 1], 'a broken line that ends is one broken line')
  assert.equal((await readText(lines([RECORD, { ...RECORD, id: 'three' }]))).draft.slots.length, 2)
})

test('rejects each invalid line once, with its number', async () => {
  const { draft, reasons } = await readText(
    [
      JSON.stringify(SLOT),
      '{"resourceType":"Location","id":"l"',
      '',
      JSON.stringify({ ...SLOT, id: 'no-schedule', schedule: { reference: 'Schedule/none' } }),
      '[1]',
      JSON.stringify({ resourceType: 'Schedule', id: 's', actor: [] }),
      JSON.stringify({ resourceType: 'Schedule', id: 's', actor: [{ display: 'x' }] }),
      JSON.stringify({ id: 'z', start: 'soon', end: 'later' }),
      '{"fullUrl":"urn:uuid:1"}',
      `{"resourceType":"Slot","id":"${'x'.repeat(2 ** 20)}"}`,
    ].join('\n'),
  )
  assert.equal(draft.slots.length, 1)
  assert.deepEqual(
    reasons.map(([line, reason]) => [line, reason.slice(0, 30)]).sort(([a], [b]) => Number(a) - Number(b)),
    [
      [2, 'the line must be JSON: Expecte'],
      [4, 'schedule must be in the feed: '],
      [5, 'the line must be a JSON object'],
      [7, 'Schedule/s must be published o'],
      [8, 'start must be a date and a tim'],
      [9, 'an entry must have a resource'],
      [10, 'it must be at most 1048576 byt'],
    ],
  )
})

test('rejects a truncated document as a whole', async () => {
  const text = bundle([SLOT, ...DIRECTORY])
  for (const end of [text.length - 1, text.length - 40, 60]) {
    await assert.rejects(readText(text.slice(0, end)), FeedFailure)
  }
})

for (const [document, error] of [
  ['{}', /^Cannot read file: it must be a Bundle, an array, .*, but is another JSON document$/],
  ['{"slots":{"0":{}}}', /a Bundle, an array/],
  ['{\n"data":{"slots":[{}]}}', /a Bundle, an array/],
  ['[{}] [{}]', /^Cannot read file: it must be one JSON document: got "data after its end"$/],
  ['[{}}', /^Cannot read file: it must be one JSON document: got "mismatched brackets"$/],
] as const) {
  test(`says what is wrong with ${JSON.stringify(document)}`, () =>
    assert.rejects(readText(document, { format: 'json' }), { name: 'FeedFailure', message: error }))
}

test('limits the size of the document outside the slots', () =>
  assert.rejects(readText(`{"x":"${'y'.repeat(2 ** 20)}","slots":[]}`, { format: 'json' }), {
    name: 'FeedFailure',
    message: /^Cannot read file: the document must have at most 1048576 bytes outside "slots" or "entry"/,
  }))

test('a strict source rejects in a file what it rejects in a feed', async () => {
  const loose = { ...SLOT, start: '2030-01-07 10:00-05' }
  assert.equal((await readText(lines([loose, ...DIRECTORY]))).draft.slots.length, 1)
  assert.equal((await readText(lines([loose, ...DIRECTORY]), { strict: true })).reasons.length, 1)
})

test('handles keys such as __proto__ as plain keys', async () => {
  const text =
    '{"__proto__":{"id":"p","start":"2030-01-07T10:00:00Z"},"constructor":1,"end":"2030-01-07T10:30:00Z","location":{"__proto__":{"city":"X"}}}'
  const { draft, reasons } = await readText(text)
  assert.deepEqual([draft.slots.length, reasons.length], [0, 1])
  assert.equal(({} as { city?: string }).city, undefined)
})
