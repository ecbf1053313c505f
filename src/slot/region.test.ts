import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedRegionCode, regionCode, splitRegion } from './region.ts'

test('reads a state of the US by code, name and old abbreviation in any case', () => {
  for (const text of ['MA', 'ma', 'Massachusetts', 'MASSACHUSETTS', 'Mass.', 'US-MA', 'Commonwealth of Massachusetts'])
    assert.equal(regionCode(text), 'MA', text)
  assert.equal(regionCode('District of Columbia', 'USA'), 'DC')
})

test('reads a region code of another country with the code or the name of the country', () => {
  const regions: [string, string | undefined, string][] = [
    ['ON', 'CA', 'CA-ON'],
    ['on', 'can', 'CA-ON'],
    ['WA', 'Australia', 'AU-WA'],
    ['NSW', 'AU', 'AU-NSW'],
    ['AU-NSW', 'AU', 'AU-NSW'],
    ['au-nsw', undefined, 'AU-NSW'],
    ['13', 'JPN', 'JP-13'],
    ['CA-ON', 'US', 'CA-ON'],
    ['LND', 'UK', 'GB-LND'],
    ['UK-LND', undefined, 'GB-LND'],
  ]
  for (const [text, country, expected] of regions) assert.equal(regionCode(text, country), expected, text)
})

test('reads a Canadian province by name, and for a caller by its code alone', () => {
  for (const text of ['Ontario', 'ontario', ' ONTARIO '])
    for (const country of ['CA', 'can', 'Canada']) assert.equal(regionCode(text, country), 'CA-ON')
  assert.deepEqual([regionCode('Québec', 'CAN'), askedRegionCode('Québec')], ['CA-QC', 'CA-QC'])
  assert.deepEqual(
    ['ON', 'on', 'Ontario', 'CA-ON', 'MA', 'CA', 'Massachusetts', 'XX', 'nonsense'].map(askedRegionCode),
    ['CA-ON', 'CA-ON', 'CA-ON', 'CA-ON', 'MA', 'CA', 'MA', undefined, undefined],
  )
})

test('finds no region for names of other countries, codes without a country and unknown codes', () => {
  const unknown: [string, string?][] = [
    ['Ontario'],
    ['Ontario', 'US'],
    ['Bavaria', 'DE'],
    ['ON'],
    ['NSW'],
    ['XX'],
    ['US-XX'],
    ['XX-1'],
    ['PR-1'],
    ['WA', 'Atlantis'],
    ['Georgia', 'GE'],
    ['150', 'Palau'],
    ['AU-NSWX'],
    ['CA--ON'],
    [''],
    ['-', 'AU'],
  ]
  for (const [text, country] of unknown) assert.equal(regionCode(text, country), undefined, text)
})

test('splits the codes that it forms', () => {
  assert.deepEqual(splitRegion('MA'), { state: 'MA' })
  const { state, country } = splitRegion('AU-WA')
  assert.equal(regionCode(state, country), 'AU-WA')
})
