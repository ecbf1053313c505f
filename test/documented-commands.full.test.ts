import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { documentedCommands, elsewhereOf, isSlotsCommand } from './support/documented-commands.ts'
import { ndjson, Publisher } from './support/feeds/publisher.ts'
import { sharedService } from './support/runner/shared-services.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

const BLOCKS = documentedCommands().filter(({ commands }) =>
  commands.some((command) => isSlotsCommand(command) && elsewhereOf(command) === undefined),
)

const times = { start: '2099-01-01T09:00:00Z', end: '2099-01-01T09:30:00Z' }
const FEED = {
  '/Location.ndjson': ndjson({ resourceType: 'Location', id: 'l', name: 'Clinic' }),
  '/Schedule.ndjson': ndjson({ resourceType: 'Schedule', id: 's', actor: [{ reference: 'Location/l' }] }),
  '/Slot.ndjson': ndjson({
    resourceType: 'Slot',
    id: '1',
    schedule: { reference: 'Schedule/s' },
    status: 'free',
    ...times,
  }),
}

let publisher: Publisher
let manifestUrl: string
let receiver: ReturnType<typeof createServer>
let program: string

before(async () => {
  publisher = await Publisher.open({ ...FEED })
  manifestUrl = `${publisher.origin}/$bulk-publish`
  const output = Object.keys(FEED).map((path) => ({ type: path.slice(1, -7), url: publisher.origin + path }))
  const manifest = { transactionTime: new Date().toISOString(), request: manifestUrl, output, error: [] }
  publisher.files['/$bulk-publish'] = JSON.stringify(manifest)
  receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  const main = (await sharedService('server'))?.main ?? join(ROOT, 'src/main.ts')
  // As npm and the installed package would start it.
  program = `slots() { '${process.execPath}' '${main}' "$@"; }
npm() { [ "$1 $2 $3 $4" = 'run -s slots --' ] && shift 4 && slots "$@"; }
`
})

after(async () => {
  receiver?.close()
  await publisher?.[Symbol.asyncDispose]()
})

for (const { where, commands } of BLOCKS) {
  test(`${where} works as written`, async () => {
    await using service = await RunningService.prepare()
    const id = await prepare(service, commands.join('\n'))
    for (const command of commands) {
      if (elsewhereOf(command) !== undefined) continue
      const { code, out } = await run(service, filled(command, service, id))
      // A check says by its code what it found.
      const isFinding = / check /.test(command) && code === 1
      assert.ok(code === 0 || isFinding, `${command}: ${code} ${out}`)
    }
  })
}

/** Creates what the commands need and do not create themselves. Returns the id of a key, or of a subscription. */
async function prepare(service: RunningService, commands: string): Promise<string> {
  const needs = (pattern: RegExp, creation: RegExp) => pattern.test(commands) && !creation.test(commands)
  Object.assign(service.env, {
    HOME: service.folder,
    SOURCE_CLINIC_KEY: 'secret',
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    ALERT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  })
  mkdirSync(join(service.folder, 'backups'))
  mkdirSync(join(service.folder, '.local/bin'), { recursive: true })
  symlinkSync(join(ROOT, 'bin'), join(service.folder, 'bin'))
  if (/\bcheck\b/.test(commands)) saveFeed(service.folder)
  if (/slots\.csv/.test(commands)) await saveTable(service)
  const options = { headers: { 'x-api-key': '$'.concat('{SOURCE_CLINIC_KEY}') } }
  writeFileSync(join(service.folder, 'clinic.json'), JSON.stringify(options))
  if (needs(/source edit clinic/, /source add clinic/))
    await service.run('source', 'add', 'clinic', manifestUrl, '--name', 'Clinic')
  if (needs(/ example\b|<source>/, /source add example|--publisher example/)) {
    await service.run('source', 'add', 'example', manifestUrl)
    await service.run('sync', 'example')
  }
  if (/resume example/.test(commands) && !/pause example/.test(commands))
    await service.run('source', 'pause', 'example')
  if (/org create/.test(commands)) return ''
  await service.run('org', 'create', 'Good Health')
  if (/subscription/.test(commands)) {
    const url = 'https://receiver.example/'
    return String((await service.run('subscription', 'create', '--org', 'Good Health', '--url', url)).id)
  }
  return String((await service.run('key', 'create', '--org', 'Good Health')).id)
}

/** The command with values in place of its examples. */
function filled(command: string, { folder }: RunningService, id: string): string {
  return command
    .replaceAll(
      /'https:\/\/(?:publisher|slots)\.example\/[^']*'|<(?:address|url|address of a manifest)>/g,
      `'${manifestUrl}'`,
    )
    .replaceAll('/backups/', `${folder}/backups/`)
    .replaceAll('<source>', 'example')
    .replaceAll('<name>', "'Good Health'")
    .replaceAll('<id>', id || '"$(slots key list --json | grep -o \'key_[0-9A-Za-z]*\' | head -n 1)"')
    .replaceAll('…', 'reason')
}

function run(service: RunningService, command: string): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const options = { cwd: service.folder, env: service.env }
    const child = execFile('bash', ['-c', program + command], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    )
    child.stdin?.end()
  })
}

/** The feed as a folder, and one of its files. */
function saveFeed(folder: string): void {
  mkdirSync(join(folder, 'feed'))
  for (const [path, text] of Object.entries(publisher.files)) writeFileSync(join(folder, 'feed', path), String(text))
  writeFileSync(join(folder, 'slots.ndjson.gz'), gzipSync(FEED['/Slot.ndjson']))
}

async function saveTable(service: RunningService): Promise<void> {
  const { code, out } = await run(service, 'slots import --template > slots.csv')
  assert.equal(code, 0, out)
}
