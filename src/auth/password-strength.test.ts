import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/support/cpu-time.ts'
import { passwordWeakness } from './password-strength.ts'

const ADA = {
  email: 'ada.byron@northgate.example',
  name: 'Ada Lovelace',
  organizations: ['Northgate Health'],
  host: 'slots.example.org',
}

test('refuses common passwords, repetitions, sequences and keyboard patterns', async () => {
  for (const [password, reason] of [
    ['1234567890', /common/],
    ['password12', /common/],
    ['P@ssw0rd123', /common/],
    ['qwertyuiop', /common/],
    [' '.repeat(10), /./],
    ['aaaaaaaaaaaa', /./],
    ['abcdefghijkl', /sequence/],
    ['x'.repeat(128), /./],
    ['hunter2hunter2', /./],
    ['p4ssw0rd'.repeat(16), /./],
  ] as const) {
    const weakness = await passwordWeakness(password, { host: 'localhost' })
    assert.match(weakness ?? 'none', reason, password)
    assert.notEqual(weakness, undefined, password)
  }
})

test('refuses the words of the person, the organization and the service', async () => {
  for (const password of [
    'ada.byron@northgate.example',
    'AdaLovelace',
    'Lovelace1815',
    'northgate-health',
    'Northgate 2026',
    'Scheduling-Slots!',
    'slots.example.org',
  ]) {
    assert.notEqual(await passwordWeakness(password, ADA), undefined, password)
  }
})

test('accepts several unrelated words, and random characters', async () => {
  for (const password of ['a long enough password', 'correct horse battery', 'k8fj2ms9qp', 'the engine of lovelace']) {
    assert.equal(await passwordWeakness(password, ADA), undefined, password)
  }
})

test('checks 128 characters within a second', async () => {
  await passwordWeakness('warm up the dictionary', ADA)
  for (const unit of ['p4ssw0rd', '20112012', 'abcdefgh12345678', '4@8({[<369|1!05$7+%2']) {
    const ms = await cpuMsOf(() => passwordWeakness(unit.repeat(16).slice(0, 128), ADA))
    assert.ok(ms < 1000, `${ms} ms`)
  }
})
