import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigFault, EnvironmentReader } from './environment.ts'
import { workersVariable } from './workers-variable.ts'

test('more than one thread is refused, in so many words, where threads cannot share a port', () => {
  const reader = new EnvironmentReader({ WORKERS: '2' })
  assert.equal(reader.read(workersVariable('darwin')), 1)
  assert.match(
    new ConfigFault(reader.faults).message,
    /WORKERS must be 1 on this system: only Linux and FreeBSD let several threads listen on one port: got "2"/,
  )
  assert.equal(workersVariable('linux').parse('2'), 2)
})
