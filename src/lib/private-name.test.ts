import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateName } from './private-name.ts'

test('a name is private if public DNS cannot have it', () => {
  for (const name of [
    'ehr',
    'localhost',
    'localhost.',
    'ehr.local',
    'ehr.clinic.svc',
    'ehr.home.arpa.',
    'a.b.internal',
  ])
    assert.ok(isPrivateName(name), name)
  for (const name of [
    'clinic.org',
    'local.clinic.org',
    'mylocal.org',
    'ehr.intranet',
    'arpa.home',
    'clinic.latest',
    'ai.',
  ])
    assert.ok(!isPrivateName(name), name)
})
