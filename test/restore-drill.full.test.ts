import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

const PAGE = '/v1/scheduling/slots'
const PROGRAM = 'npm run -s slots --'

test('the drill of docs/backup.md restores the store, and a key revoked after the backup stays revoked', async () => {
  await using service = await RunningService.prepare()
  await using restored = await RunningService.prepare()
  const kept = await service.createKey()
  const revoked = await service.run('key', 'create', '--org', 'Good Health', '--name', 'leaked')
  await service.serve()
  const status = async (of: RunningService, key: unknown) =>
    (await fetch(of.origin + PAGE, { headers: { 'x-api-key': String(key) } })).status
  assert.deepEqual([await status(service, kept), await status(service, revoked.key)], [200, 200])
  const commands = await drill()
  const revokes = `${PROGRAM} key revoke ${revoked.id} --yes`
  const start = commands.pop()
  assert.equal(start, 'SUBSCRIPTIONS_MAX=0 PORT=8081 npm start')
  const script = [...commands.slice(0, 2), revokes, ...commands.slice(2), 'echo "store: $DATABASE_URL"'].join('\n')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', inTest(script, service)], {
    env: service.env,
  })
  assert.match(stdout, /^Backed up .* MB, revision \d+, schema \d{4}-/m)
  assert.match(stdout, /^Restored .*: revision \d+\.$/m)
  assert.match(stderr, /Applied from the revocation log: 1 key, 0 organizations, 0 accounts\./)
  restored.env.DATABASE_URL = /^store: (.*)$/m.exec(stdout)?.[1]
  await restored.serve()
  assert.deepEqual([await status(restored, kept), await status(restored, revoked.key)], [200, 401])
})

/** The commands of the section. */
async function drill(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/backup.md'), 'utf8')
  const section = text.slice(text.indexOf('### Drill'), text.indexOf('### Other ways'))
  const commands = section.split('\n').filter((line) => line.startsWith('    '))
  assert.ok(commands.length > 5)
  return commands.map((line) => line.trim())
}

/** The commands with the store and the program of the test. */
function inTest(script: string, { env }: RunningService): string {
  const path = String(env.DATABASE_URL).replace('sqlite:', '')
  return script
    .replaceAll(PROGRAM, `'${process.execPath}' '${join(ROOT, 'src/main.ts')}'`)
    .replaceAll('data/slots.db', path)
}
