import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asText, textsIn } from '../../lib/json.ts'
import { conceptOf, extensionName, extensions, parseReference, valueCode, valueText, webLink } from './data-types.ts'
import { postalCode, stateCode } from './state.ts'

test('prefers a specific code over "immunization"', () => {
  const generic = { code: '57', display: 'Immunization' }
  const covid = { code: 'covid19-immunization', display: 'COVID-19 Immunization Appointment' }
  assert.deepEqual(conceptOf([{ coding: [generic, covid] }]), { code: covid.code, text: covid.display })
  assert.deepEqual(conceptOf([{ coding: [generic] }, { coding: [covid] }]), {
    code: covid.code,
    text: covid.display,
  })
  assert.deepEqual(conceptOf([{ coding: [generic] }]), { code: '57', text: 'Immunization' })
})

test('prefers the text of a concept over its display, and returns the text alone without a code', () => {
  assert.deepEqual(conceptOf({ text: 'Visit', coding: [{ code: '1', display: 'x' }] }), {
    code: '1',
    text: 'Visit',
  })
  assert.deepEqual(conceptOf([{ text: 'Visit' }]), { text: 'Visit' })
  assert.deepEqual(conceptOf([{ coding: [{ code: null, display: 'Visit' }] }]), { text: 'Visit' })
  assert.deepEqual(conceptOf([{ text: 'Visit', coding: [] }]), { text: 'Visit' })
  for (const nothing of [undefined, null, [], {}, [{ coding: [] }], [null], 'x', 5])
    assert.equal(conceptOf(nothing), undefined)
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

test('restores leading zeros of ZIP codes', () => {
  for (const [text, state, whole] of [
    ['8332-3762', 'NJ', '08332-3762'],
    ['8015-385', 'NJ', '08015-0385'],
    ['2139', 'MA', '02139'],
    ['601', 'PR', '00601'],
    ['6390', 'NY', '06390'],
    ['501', 'NY', '00501'],
    ['33602-385', 'FL', '33602-0385'],
    ['9012', 'AE', '09012'],
  ]) {
    assert.equal(postalCode(text, state), whole)
  }
  for (const [text, state] of [
    ['2139', 'CA'],
    ['2139', undefined],
    ['1234', 'NY'],
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
