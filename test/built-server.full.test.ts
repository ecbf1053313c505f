import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { startPublisher } from '../demo/publisher.ts'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'
import { tempFolder } from './support/temp-folder.ts'

/** Packages that libraries look for and that are not installed. */
const OPTIONAL = new Set(['pg-native'])

before(() => promisify(execFile)(process.execPath, [join(ROOT, 'deploy/server/build.ts')]))

test('the built server starts without node_modules and serves the API, the dashboard and MCP on every thread', async (t) => {
  const folder = tempFolder(t)
  for (const name of ['dist', 'dashboard/dist', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  const publisher = await startPublisher({ port: 0, slots: 300, seed: 7, clock: Date.now })
  t.after(() => publisher.close())
  await using service = await RunningService.prepare(undefined, join(folder, 'dist/main.js'))
  service.env.WORKERS = '2'
  const key = await service.createKey()
  await service.run('source', 'add', 'sample', publisher.url)
  await service.serve()
  // The threads follow one after the other.
  await eventually(async () => {
    const totals = new Set<number>()
    for (const _ of 'repeatedly') totals.add((await service.slots(key, 'limit=1')).body.total)
    return totals.size === 1 && !totals.has(0)
  })
  const get = (path: string) => fetch(`${service.origin}${path}`)
  const pages = [await get('/'), await get('/app'), await get('/docs'), await get('/openapi.json')]
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { info } = (await pages[3].json()) as { info: { version: string } }
  assert.equal(info.version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  assert.equal(await (await get('/api/me')).json(), null)
  assert.equal((await initializeMcp(service.origin, key)).status, 200)
})

test('the built server imports only built-in modules', () => {
  const files = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.js'))
  const imported = files.flatMap((name) => {
    const text = readFileSync(join(ROOT, 'dist', name), 'utf8')
    return [...text.matchAll(/^(?:import|export) (?:[^;]*? from )?"([^"]+)";$|\bimport\("([^"]+)"\)/gm)].map(
      ([, statically, dynamically]) => statically ?? dynamically,
    )
  })
  assert.deepEqual(
    imported.filter((target) => !target.startsWith('./') && !isBuiltIn(target) && !OPTIONAL.has(target)),
    [],
  )
})

test('the bundle names the license of every package in it', () => {
  const text = readFileSync(join(ROOT, 'dist/third-party-licenses.txt'), 'utf8')
  for (const name of ['better-auth', 'kysely', 'pg', 'pino', 'zod'])
    assert.match(text, new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
})

function isBuiltIn(target: string): boolean {
  return target.startsWith('node:') || builtinModules.includes(target)
}

function initializeMcp(origin: string, key: string): Promise<Response> {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
}
