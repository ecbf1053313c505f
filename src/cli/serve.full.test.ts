import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { type CommandLine, commandLine, type Running } from '../../test/support/cli/command-line.ts'
import { eventually } from '../../test/support/eventually.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'

/** Starts the service and waits until it logs its address. */
function serve(slots: CommandLine): Promise<{ service: Running; address: string }> {
  return new Promise((resolve, reject) => {
    const service = slots.start(['serve'], (err) => {
      const address = /listens on (\S+)\. /.exec(err)?.[1]
      if (address !== undefined) resolve({ service, address })
    })
    service.ended.then(({ err }) => reject(new Error(`Cannot serve: ${err}`)))
  })
}

async function statusOf(address: string, key: string): Promise<number> {
  const response = await fetch(`${address}/v1/scheduling/slots`, { headers: { 'x-api-key': key } })
  await response.body?.cancel()
  return response.status
}

test('serve accepts a key from its creation until its revocation', { timeout: 60_000 }, async (t) => {
  const slots = await commandLine(t)
  const { service, address } = await serve(slots)
  t.after(() => service.kill('SIGKILL'))
  await slots.run('org', 'create', 'Acme')
  const { id, key } = await slots.json('key', 'create', '--org', 'Acme')
  await eventually(async () => (await statusOf(address, key)) === 200)
  await slots.run('key', 'revoke', id)
  await eventually(async () => (await statusOf(address, key)) === 401)
  service.kill('SIGTERM')
  const { code, out } = await service.ended
  assert.equal(code, 0)
  assert.ok(!out.includes(key))
  const messages = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  assert.ok(messages.includes('service started'))
  assert.equal(messages.at(-1), 'service stopped')
})

test('serve shuts down gracefully on SIGINT', { timeout: 60_000 }, async (t) => {
  const { service } = await serve(await commandLine(t))
  t.after(() => service.kill('SIGKILL'))
  service.kill('SIGINT')
  const { code, err } = await service.ended
  assert.equal(code, 0)
  assert.equal(err.split('\n').length, 2)
})

test('serve reports that its port is in use', { timeout: 60_000 }, async (t) => {
  const { port } = await listenOnLoopback(t, createServer())
  const { code, err } = await (await commandLine(t, { PORT: String(port) })).run('serve')
  assert.equal(code, 1)
  assert.equal(
    err,
    `Cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE). Set HOST or PORT to another value.\n`,
  )
})

test('serve reports a host that cannot be resolved', { timeout: 60_000 }, async (t) => {
  const { code, err } = await (await commandLine(t, { HOST: 'host.invalid', PORT: '8080' })).run('serve')
  assert.equal(code, 1)
  assert.match(err, /^Cannot listen on host\.invalid:8080: the address is not available \(\w+\)\. Set HOST or PORT to/)
})

test('an invalid environment is a usage error that lists every problem', async (t) => {
  const slots = await commandLine(t, { PORT: 'x', LOG_LEVEL: 'loud' })
  for (const argv of [['serve'], ['org', 'list']]) {
    const { code, err } = await slots.run(...argv)
    assert.equal(code, 2)
    assert.match(err, /^ {2}PORT must be .*\n {2}LOG_LEVEL must be .*\n$/m)
  }
})
