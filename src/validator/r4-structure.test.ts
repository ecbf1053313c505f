import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStructureErrors } from './r4-structure.ts'

test('accepts a resource that uses every kind of R4 element', () => {
  assert.deepEqual(
    findStructureErrors('Location', {
      resourceType: 'Location',
      id: 'l',
      meta: { versionId: '1', lastUpdated: '2026-06-01T12:00:00Z', profile: ['http://publisher.example/p'] },
      text: { status: 'generated', div: '<div/>' },
      contained: [{ resourceType: 'Organization' }],
      status: 'active',
      _status: { extension: [{ url: 'urn:x', valueBoolean: true }] },
      alias: ['Elm'],
      telecom: [{ system: 'phone', value: '413-555-0100', rank: 1, period: { start: '2026' } }],
      address: { line: ['1 Elm St'], city: 'Lynn' },
      position: { latitude: 42.4, longitude: -71 },
      hoursOfOperation: [{ daysOfWeek: ['mon'], openingTime: '09:00:00', allDay: false }],
      managingOrganization: { reference: 'Organization/o' },
      extension: [
        { url: 'urn:a', valueCoding: { system: 'urn:x', code: '1' } },
        { url: 'urn:b', extension: [{ url: 'c', valueUrl: 'https://publisher.example' }] },
        { url: 'urn:d', valueTiming: { anything: 'goes' } },
      ],
    }),
    {},
  )
})

test('reports the kind and path of each violation', () => {
  const errors = findStructureErrors('PractitionerRole', {
    active: 'yes',
    practitioner: { reference: 'Location/l' },
    specialty: { text: 'x' },
    period: [{ start: 'yesterday', end: null }],
    telecom: [],
    availableTime: [{ daysOfWeek: ['someday'], availableStartTime: '9 am' }, {}, null, 5],
    healthcareServices: [],
    extension: [
      { url: '', valueInteger: 1.5 },
      { url: 'urn:x', valueInteger: 1, other: 1 },
    ],
  })
  assert.deepEqual(errors, {
    type: ['active: got "yes"', 'availableTime[3]: got "5"', 'extension[0].url: got ""'],
    'reference-target': ['practitioner.reference: got "Location/l"'],
    array: ['specialty: got "{"text":"x"}"'],
    single: ['period: got "["…"]"'],
    form: [
      'period[0].start: got "yesterday"',
      'availableTime[0].availableStartTime: got "9 am"',
      'extension[0].valueInteger: got "1.5"',
    ],
    null: ['period[0].end: got "null"', 'availableTime[2]: got "null"'],
    empty: ['telecom: got "[]"', 'availableTime[1]: got "{}"'],
    code: ['availableTime[0].daysOfWeek[0]: got "someday"'],
    unknown: ['healthcareServices: got "[]"', 'extension[1].other: got "1"'],
  })
})

test('reports missing required elements and invalid dates and times', () => {
  const { required } = findStructureErrors('Slot', {})
  assert.deepEqual(
    required?.map((found) => found.split(':')[0]),
    ['schedule', 'status', 'start', 'end'],
  )
  const { form } = findStructureErrors('Practitioner', {
    birthDate: '2026-13-01',
    name: [{ period: { start: '2026-06-01T25:00:00Z' } }],
  })
  assert.equal(form?.length, 2)
})

test('accepts a primitive that has only extensions, alone and in an array', () => {
  const extension = [{ url: 'urn:x', valueString: '1' }]
  const findIn = (address: object, notAvailable: object = { description: 'Holidays' }) => [
    findStructureErrors('Location', { resourceType: 'Location', address }),
    findStructureErrors('PractitionerRole', { resourceType: 'PractitionerRole', notAvailable: [notAvailable] }),
  ]
  assert.deepEqual(
    findIn({ line: ['1 Main St', null], _line: [null, { extension }] }, { _description: { extension } }),
    [{}, {}],
  )
  assert.deepEqual(findIn({ line: ['1 Main St', null], _line: [{ extension }, null] }, { _description: 'Holidays' }), [
    { null: ['address.line[1]: got "null"'] },
    {
      type: ['notAvailable[0]._description: got "Holidays"'],
      required: ['notAvailable[0].description: not provided'],
    },
  ])
})

test('keeps the first violations and limits the depth', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x${n}`, 1]))
  assert.equal(findStructureErrors('Slot', many).unknown?.length, 20)
  let nested: object = { url: 'urn:x', valueBoolean: true }
  for (let depth = 0; depth < 10_000; depth++) nested = { url: 'urn:x', extension: [nested] }
  assert.deepEqual(Object.keys(findStructureErrors('Slot', { extension: [nested] })), ['required'])
})
