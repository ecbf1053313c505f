import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FhirServer, type Resource } from '../../../test/support/feeds/fhir-server.ts'
import { Searcher } from '../../../test/support/feeds/searcher.ts'

/** HL7's examples of R4, kept beside the project where there are any. */
const EXAMPLES = new URL('../../../../shared/feeds/fhir-r4-examples/', import.meta.url)

const skip = existsSync(fileURLToPath(EXAMPLES)) ? false : 'the examples are not here'

function examples(): Resource[] {
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))
  return names.map((name) => JSON.parse(readFileSync(new URL(name, EXAMPLES), 'utf8')))
}

for (const includes of ['all', 'none'] as const) {
  test(`reads HL7's R4 examples from a server that includes ${includes}`, { skip }, async () => {
    await using server = await FhirServer.open(examples())
    server.abilities.includes = includes
    const searcher = new Searcher(`${server.base}?start=ge2000-01-01T00:00:00Z`)
    await searcher.read()
    const { slots, rejected } = searcher.draft
    assert.deepEqual(rejected, [])
    assert.deepEqual(slots.map(({ status }) => status).sort(), [
      'busy',
      'busy-tentative',
      'busy-unavailable',
      'free',
    ])
    for (const { offering } of slots) {
      const { scheduleId, serviceTypeText, location, provider } = offering
      assert.deepEqual(
        [scheduleId, serviceTypeText, location?.name, provider?.specialty],
        ['example', 'Immunization', 'South Wing, second floor', 'Clinical immunology'],
      )
    }
  })
}
