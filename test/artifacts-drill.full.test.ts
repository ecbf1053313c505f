import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { compareVersions } from '../deploy/release/version.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { ROOT } from './support/source-files.ts'

// What an operator does in an empty folder with the packages of two versions and no source, by the commands of the documentation.

const STORES = 'test/fixtures/stores'
const PORT = await freePort()
const ORIGIN = `http://127.0.0.1:${PORT}`
const folder = mkdtempSync(join(tmpdir(), 'slots-drill-'))
const machine = join(folder, 'machine')
const nodeFolder = dirname(process.execPath)
const buildEnv = { ...process.env, PATH: `${nodeFolder}:${process.env.PATH}`, npm_config_prefer_offline: 'true' }
const env = {
  PATH: `${join(folder, 'global/bin')}:${nodeFolder}:${process.env.PATH}`,
  HOME: machine,
  // Node.js is there already, and the package contains all others.
  npm_config_prefix: join(folder, 'global'),
  npm_config_omit: 'optional',
  npm_config_offline: 'true',
  HOST: '127.0.0.1',
  PORT: `${PORT}`,
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'warn',
}
let service: ChildProcess | undefined

after(async () => {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const skip = git(ROOT, 'rev-parse', '--is-shallow-repository') === 'true' && 'The history has no version before'

test('from the packages alone: install, upgrade, back up, destroy and restore; a revoked key stays revoked', {
  skip,
}, async () => {
  const versions = readdirSync(join(ROOT, STORES)).sort(compareVersions)
  const before = versions.at(-1) ?? ''
  const packages = [await build('before', commitOf(before)), await build('present', 'HEAD')]
  mkdirSync(join(machine, 'backups'), { recursive: true })

  await install(packages[0])
  assert.equal(await run('slots --version'), `${before}\n`)
  await serve()
  await run('slots org create "Good Health"')
  const [kept, leaked] = [await createKey('kept'), await createKey('leaked')]
  // Keys that another process creates are known within a second.
  await eventually(async () => (await statuses(kept, leaked)).every((status) => status === 200))
  assert.match(await run(documented('upgrading.md', 'backup')), /^Backed up /m)
  await stop()

  await install(packages[1])
  await serve()
  assert.deepEqual(await statuses(kept, leaked), [200, 200])
  await run(documented('backup.md', 'backup'))
  await run(`slots key revoke ${leaked.id} --yes`)
  await eventually(async () => (await statuses(kept, leaked))[1] === 401)
  await run('cp data/slots.db-revocations backups/')
  await stop()

  await run('rm -r data && mkdir data && cp backups/slots.db-revocations data/')
  assert.match(await run(documented('backup.md', 'restore')), /^Restored .*: revision \d+\.$/m)
  await run('slots audit verify')
  await serve()
  assert.deepEqual(await statuses(kept, leaked), [200, 401])
  await stop()

  // Back to the version before, with the backup that was made by it.
  await install(packages[0])
  await run(`${documented('backup.md', 'restore').replace('slots-2030-01-31', 'before-upgrade')} --replace`)
  await serve()
  assert.deepEqual(await statuses(kept, leaked), [200, 401])
  await stop()
})

/** The commit that released a version: it added a store of it. */
function commitOf(version: string): string {
  const facts = `${STORES}/${version}/facts.json`
  return git(ROOT, 'log', '--diff-filter=A', '--format=%H', '-1', '--', facts)
}

/** Builds the package of the server in a clean clone. Returns its path. */
async function build(name: string, commit: string): Promise<string> {
  const [clone, artifacts] = [join(folder, name), join(folder, `${name}-artifacts`)]
  git(folder, 'clone', '--quiet', ROOT, clone)
  git(clone, 'checkout', '--quiet', git(ROOT, 'rev-parse', commit))
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: clone, env: buildEnv })
  await npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
  await npm('run', '-s', 'release:artifacts', '--', artifacts)
  rmSync(clone, { recursive: true })
  const file = readdirSync(artifacts).find((each) => each.startsWith('scheduling-slots-server-'))
  return join(artifacts, String(file))
}

/** As in docs/guide/self-hosting.md, in a folder with this package only. */
async function install(file: string): Promise<void> {
  await run('rm -f ./scheduling-slots-server-*.tgz')
  cpSync(file, join(machine, file.slice(dirname(file).length)))
  const [, command] = /^(npm install --global .*)$/m.exec(page('guide/self-hosting.md')) ?? []
  await run(String(command))
}

/** The first command of a page with this name, for an installed package and the folder of the test. */
function documented(path: string, name: string): string {
  const [, args] = new RegExp(`npm run -s slots -- (${name} /backups/[^\`\\s]+)`).exec(page(path)) ?? []
  assert.ok(args, `${path} must have the command ${name}`)
  return `slots ${args.replace('/backups/', 'backups/')}`
}

function page(path: string): string {
  return readFileSync(join(ROOT, 'docs', path), 'utf8')
}

async function run(command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-e', '-c', command], { cwd: machine, env })).stdout
}

async function createKey(name: string): Promise<{ id: string; key: string }> {
  return JSON.parse(await run(`slots key create --org "Good Health" --name ${name} --json`))
}

async function serve(): Promise<void> {
  const started = spawn('slots', ['serve'], { cwd: machine, env, stdio: ['ignore', 'ignore', 2] })
  service = started
  await eventually(async () => {
    if (started.exitCode !== null) throw new Error(`Cannot serve: it ended with code ${started.exitCode}`)
    return (await fetch(`${ORIGIN}/readyz`).catch(() => undefined))?.ok
  })
}

async function stop(): Promise<void> {
  assert.ok(service)
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  service = undefined
}

function statuses(...keys: { key: string }[]): Promise<number[]> {
  const ask = async ({ key }: { key: string }) =>
    (await fetch(`${ORIGIN}/v1/scheduling/slots`, { headers: { 'x-api-key': key } })).status
  return Promise.all(keys.map(ask))
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}
