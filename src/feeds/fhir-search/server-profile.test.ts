import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnServer } from './server-profile.ts'

test('learns the kind of server from what its CapabilityStatement names', () => {
  for (const [statement, server] of [
    [{ publisher: 'Cerner', name: 'CernerCapabilityStatement' }, 'oracle'],
    [{ publisher: 'Oracle Health', software: { name: 'Millennium' } }, 'oracle'],
    [{ software: { name: 'Epic', version: 'May 2030' } }, 'epic'],
    [{ software: { name: 'HAPI FHIR Server' } }, 'hapi'],
    [{ name: 'GP Connect', software: { name: 'HAPI FHIR Server' } }, 'gp-connect'],
    [{ description: 'This server implements the GP Connect API version 1.2.7' }, 'gp-connect'],
    [{}, undefined],
    [{ software: 'Epic' }, undefined],
    [{ software: { name: 'Epicenter' }, publisher: 'Oracle' }, undefined],
    [{ software: { name: 'A gateway' }, implementation: { description: 'HAPI FHIR' } }, undefined],
    [{ software: { name: 7 }, publisher: null, description: ['GP Connect API'] }, undefined],
  ] as const) {
    assert.equal(learnServer(statement), server, JSON.stringify(statement))
  }
})
