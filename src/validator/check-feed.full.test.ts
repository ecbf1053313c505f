import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, Publisher } from '../../test/support/feeds/publisher.ts'
import { checkUrl } from '../../test/support/validator/check-planted.ts'

test('survives malicious feeds', async () => {
  const deep = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`
  const lines = [
    'null',
    '[]',
    '5',
    '{}',
    '"x"',
    '{"resourceType":"Slot","__proto__":{"id":"x"},"id":{"toString":5}}',
    '{"resourceType":"Slot","id":"x","extension":[null,5,{"url":5},{"url":"constructor"},{"url":"__proto__","valueUrl":{}}]}',
    '{"resourceType":"constructor","id":"__proto__"}',
    '{"resourceType":{"toString":5},"id":"x"}',
    '{"resourceType":"Slot","id":"\\ud800","start":{},"end":[],"schedule":[[]],"serviceType":{"coding":5}}',
    `{"resourceType":"Location","id":"l","address":${deep},"telecom":[{"system":"phone","value":{}}],"physicalType":5}`,
    ...['telecom', 'position', 'physicalType', 'extension', 'identifier'].map(
      (name) => `{"resourceType":"Location","id":"${name}","${name}":${deep}}`,
    ),
    ...['serviceType', 'actor', 'specialty', 'meta', 'extension'].map(
      (name) => `{"resourceType":"Schedule","id":"${name}","${name}":[${deep}]}`,
    ),
    `{"resourceType":"Slot","id":"deep","schedule":${deep},"status":${deep},"extension":[{"url":"a/booking-phone","valueString":${deep}}]}`,
    `{"resourceType":"Schedule","id":"s","actor":{"reference":{"reference":"x"}},"meta":{"profile":[5,null]}}`,
    '{"resourceType":"Practitioner","id":"p","name":[{"given":{}}],"identifier":[{"system":"http://hl7.org/fhir/sid/us-npi","value":[]}]}',
    '{"resourceType":"HealthcareService","id":"h","location":"x","type":{}}',
    '\u0000\u0000',
  ]
  const all = `${lines.join('\n')}\n`
  const types = ['Location', 'Schedule', 'PractitionerRole', 'Practitioner', 'HealthcareService', 'Slot']
  const listed = Object.fromEntries(types.map((type) => [`/${type}`, type]))
  await using publisher = await Publisher.open({
    '/$bulk-publish': manifest(listed),
    ...Object.fromEntries(types.map((type) => [`/${type}`, all])),
  })
  const report = await checkUrl(`${publisher.origin}/$bulk-publish`)
  assert.equal(report.unreadable, undefined)
  assert.equal(report.lines.served + report.lines.rejected + report.lines.withheld, lines.length)
})
