import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asText, textsIn } from '../../lib/json.ts'
import { postalCode, stateCode } from '../../slot/state.ts'
import { conceptOf, extensionName, extensions, parseReference, valueCode, valueText, webLink } from './data-types.ts'

test('keeps every coding with its system, the first one with a code first', () => {
  const snomed = { system: 'http://snomed.info/sct', code: '788007007', display: 'General practice service' }
  const general = { system: 'http://terminology.hl7.org/CodeSystem/service-type', code: '124' }
  const first = { code: snomed.code, text: snomed.display }
  assert.deepEqual(conceptOf([{ coding: [snomed, general] }]), { ...first, codings: [snomed, general] })
  assert.deepEqual(conceptOf([{ coding: [snomed] }, { coding: [general] }]), { ...first, codings: [snomed, general] })
  assert.deepEqual(conceptOf([{ text: 'Visit' }, { coding: [snomed] }]), {
    ...first,
    codings: [snomed, { display: 'Visit' }],
  })
  assert.deepEqual(conceptOf([{ coding: [snomed, snomed] }]), { ...first, codings: [snomed] })
})

test('reads a coding that is not in an array', () => {
  const coding = { system: 'http://snomed.info/sct', code: '1', display: 'x' }
  assert.deepEqual(conceptOf({ text: 'Visit', coding }), { code: '1', text: 'Visit', codings: [coding] })
})

test('keeps the text of a concept', () => {
  const coding = { code: '1', display: 'x' }
  assert.deepEqual(conceptOf({ text: 'Visit', coding: [coding] }), { code: '1', text: 'Visit', codings: [coding] })
  assert.deepEqual(conceptOf({ text: 'Visit', coding: [{ code: '1' }] }), {
    code: '1',
    text: 'Visit',
    codings: [{ code: '1', display: 'Visit' }],
  })
  assert.deepEqual(conceptOf([{ coding: [{ code: '2' }] }, { text: 'Visit', coding: [coding] }]), {
    code: '2',
    codings: [{ code: '2' }, coding, { display: 'Visit' }],
  })
  const visit = { text: 'Visit', codings: [{ display: 'Visit' }] }
  assert.deepEqual(conceptOf([{ text: 'Visit' }]), visit)
  assert.deepEqual(conceptOf([{ coding: [{ code: null, display: 'Visit' }] }]), visit)
  assert.deepEqual(conceptOf([{ text: 'Visit', coding: [] }]), visit)
  for (const nothing of [undefined, null, [], {}, [{ coding: [] }], [null], 'x', 5])
    assert.equal(conceptOf(nothing), undefined)
})

test('reads the CodeableReference of FHIR R5', () => {
  assert.deepEqual(conceptOf([{ concept: { coding: [{ code: '124' }] } }]), { code: '124', codings: [{ code: '124' }] })
})

test('prefers covid19-immunization over 57 beside it, as the first generation publishes them, and 57 over any other', () => {
  const generic = { code: '57', display: 'Immunization' }
  const covid = { code: 'covid19-immunization', display: 'COVID-19 Immunization Appointment' }
  const first = { code: covid.code, text: covid.display, codings: [covid, generic] }
  assert.deepEqual(conceptOf([{ coding: [generic, covid] }]), first)
  assert.deepEqual(conceptOf([{ coding: [generic] }, { coding: [covid] }]), first)
  for (const other of ['124', 'VT-9']) {
    assert.equal(conceptOf([{ coding: [generic] }, { coding: [{ code: other }] }])?.code, '57')
    assert.equal(conceptOf([{ coding: [{ code: other }, generic] }])?.code, other)
  }
})

test('reads references in all their forms', () => {
  const read = (reference: unknown, more: object = {}) => parseReference({ reference, ...more })
  const target = { type: 'Location', id: '1' }
  assert.deepEqual(read('Location/1'), target)
  assert.deepEqual(read('https://example.org/fhir/Location/1'), target)
  assert.deepEqual(read('https://example.org/fhir/Location/1/_history/2'), target)
  assert.deepEqual(read('Location/1/_history/2'), target)
  assert.deepEqual(read('/Location/1'), target)
  assert.deepEqual(read('Location/1/'), target)
  assert.deepEqual(read('FHIR/R4/Location/1'), target)
  assert.deepEqual(read('Location/east/1'), { type: 'Location', id: 'east/1' })
  assert.deepEqual(read('1', { type: 'Location' }), target)
  assert.deepEqual(read('1'), { id: '1' })
  assert.deepEqual(read('urn:uuid:44981b4a-8eae-48f7-bb7f-bf008bbe05af'), {
    id: '44981b4a-8eae-48f7-bb7f-bf008bbe05af',
  })
  for (const nothing of [undefined, null, '', '#contained', '/', {}, []]) assert.equal(read(nothing), undefined)
})

test('names extensions by the last segment of their URL', () => {
  const root = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition'
  for (const url of [`${root}/patient-type`, `${root}/patient-type/`, `${root}/patient-type|1.0.0`, 'patient-type']) {
    assert.equal(extensionName(url), 'patient-type', url)
  }
  assert.equal(extensionName(`${root}/not-patient-type`), 'not-patient-type')
  for (const none of [undefined, null, 5, '', `${'/'.repeat(100_000)}`]) assert.equal(extensionName(none), '')
  assert.equal(
    extensions({ extension: [{ url: `${root}/a`, n: 1 }, null, 'x', { url: 'b' }, { url: 'a' }] }, 'a').length,
    2,
  )
  assert.deepEqual(extensions({ extension: { url: 'a' } }, 'a'), [])
})

test('reads the value of an extension whatever its type', () => {
  for (const value of [
    { valueUrl: 'v' },
    { valueUri: 'v' },
    { valueString: 'v' },
    { valueContactPoint: { system: 'phone', value: 'v' } },
    { valueCode: 'v' },
    { valueCoding: { code: 'v' } },
    { valueCodeableConcept: { coding: [{ code: 'v' }] } },
    { valueCodeableConcept: { text: 'v' } },
  ]) {
    assert.equal(valueText(value), 'v', JSON.stringify(value))
  }
  assert.equal(valueCode({ valueString: 'v' }), 'v')
  assert.equal(valueText({ valueBoolean: true }), undefined)
})

test('knows states by code, name and old abbreviation', () => {
  for (const text of ['MA', 'ma', ' Ma ', 'US-MA', 'Massachusetts', 'MASSACHUSETTS', 'Mass.', 'mass']) {
    assert.equal(stateCode(text), 'MA', text)
  }
  assert.equal(stateCode('New  Hampshire'), 'NH')
  assert.equal(stateCode('N.J.'), 'NJ')
  assert.equal(stateCode('W. Va.'), 'WV')
  assert.equal(stateCode('District of Columbia'), 'DC')
  assert.equal(stateCode('D.C.'), 'DC')
  assert.equal(stateCode('Puerto Rico'), 'PR')
  for (const [text, code] of [
    ['Commonwealth of Massachusetts', 'MA'],
    ['State of New York', 'NY'],
    ['New York', 'NY'],
    ['Calif.', 'CA'],
    ['N. Carolina', 'NC'],
    ['So. Dakota', 'SD'],
    ['Washington, D.C.', 'DC'],
    ['The Commonwealth of Puerto Rico', 'PR'],
    ['USVI', 'VI'],
    ['Armed Forces Europe', 'AE'],
  ])
    assert.equal(stateCode(text ?? ''), code, text)
  for (const unknown of ['', 'ON', 'Ontario', 'XX', 'M', 'constructor', '__proto__'])
    assert.equal(stateCode(unknown), undefined)
})

test('restores leading zeros and hyphens of ZIP codes', () => {
  for (const [text, state, whole] of [
    ['8332-3762', 'NJ', '08332-3762'],
    ['8015-385', 'NJ', '08015-0385'],
    ['2139', 'MA', '02139'],
    ['601', 'PR', '00601'],
    ['6390', 'NY', '06390'],
    ['501', 'NY', '00501'],
    ['33602-385', 'FL', '33602-0385'],
    ['9012', 'AE', '09012'],
    ['21140001', 'MA', '02114-0001'],
    ['021140001', 'MA', '02114-0001'],
    ['336020385', 'FL', '33602-0385'],
    ['6011234', 'PR', '00601-1234'],
  ]) {
    assert.equal(postalCode(text, state), whole)
  }
  for (const [text, state] of [
    ['2139', 'CA'],
    ['2139', undefined],
    ['1234', 'NY'],
    ['213', 'MA'],
    ['2114000', 'MA'],
    ['21140001', 'CA'],
    ['02139', 'MA'],
    ['K1A 0B1', 'MA'],
    ['', 'MA'],
  ]) {
    assert.equal(postalCode(text ?? '', state), text)
  }
})

test('returns only web links', () => {
  for (const url of ['https://example.org/book?slot=1&a=%20#x', 'http://example.org', 'HTTPS://Example.ORG/x']) {
    assert.equal(webLink(url), url)
  }
  assert.equal(webLink('https://example.org/ä b'), 'https://example.org/%C3%A4%20b')
  assert.equal(webLink('https://example.org/"><script>'), 'https://example.org/%22%3E%3Cscript%3E')
  assert.equal(webLink('http://localhost:8080/x'), 'http://localhost:8080/x')
  for (const url of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//example.org/',
    '/book',
    'book',
    'example.org',
    'https://',
    'https://bank.example@evil.example/',
    'mailto:a@example.org',
    `https://example.org/${'x'.repeat(2000)}`,
    '',
  ]) {
    assert.equal(webLink(url), undefined, url)
  }
})

test('reads texts trimmed, bounded and without control characters', () => {
  assert.equal(asText('  Main\t\nStreet\u0000 '), 'Main Street')
  assert.equal(asText(5), '5')
  assert.equal(asText('x'.repeat(2000))?.length, 2000)
  assert.equal(asText('\ud800x'), '\ufffdx')
  for (const nothing of ['', '  ', '\t', 'x'.repeat(2001), null, undefined, {}, [], true])
    assert.equal(asText(nothing), undefined)
  assert.deepEqual(textsIn(['a', '', 'a', null, 'b']), ['a', 'b'])
  assert.deepEqual(textsIn('a'), ['a'])
  assert.deepEqual(textsIn(undefined), [])
})
