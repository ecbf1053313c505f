import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { freePort } from '../test/support/free-port.ts'
import { startScript } from './children.ts'

const DEMO = join(import.meta.dirname, 'demo.ts')

test('prints a working curl command and leaves nothing behind after Ctrl-C', async () => {
  const port = await freePort()
  const TMPDIR = mkdtempSync(join(tmpdir(), 'demo-test-'))
  const demo = startScript(DEMO, ['--slots=2000'], { ...process.env, PORT: String(port), TMPDIR })
  try {
    let printed = ''
    for await (const piece of demo.stdout ?? []) {
      printed += piece
      if (printed.includes('Ctrl-C')) break
    }
    const [, authorization, url] = /curl -s -H "Authorization: ([^"]+)" "([^"]+)"/.exec(printed) ?? []
    const response = await fetch(url, { headers: { authorization } })
    assert.equal(response.status, 200)
    const { slots, total } = JSON.parse(await response.text())
    assert.equal(slots.length, 5)
    assert.ok(total > 5)
    const [, link] = /become the operator: (\S+)/.exec(printed) ?? []
    assert.match(link, new RegExp(`^http://localhost:${port}/app/setup#[\\w-]{20,}$`))
    const [, folder] = /sqlite:(\S+)\/slots\.db/.exec(printed) ?? []
    assert.ok(existsSync(folder))
    demo.kill('SIGINT')
    const [code] = await once(demo, 'exit')
    assert.equal(code, 0)
    assert.deepEqual(readdirSync(TMPDIR), [])
    await assert.rejects(fetch(url))
  } finally {
    demo.kill('SIGTERM')
    rmSync(TMPDIR, { recursive: true })
  }
})

test('names the port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  try {
    const { port } = taken.address() as AddressInfo
    const env = { ...process.env, PORT: String(port) }
    const demo = spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    assert.match(await text(demo.stderr), new RegExp(`^Port ${port} is in use\\.`))
    assert.equal(demo.exitCode ?? (await once(demo, 'exit'))[0], 1)
  } finally {
    taken.close()
  }
})
