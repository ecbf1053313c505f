import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { compareVersions } from '../deploy/release/version.ts'
import { eventually } from './support/eventually.ts'
import { documentedCommand, InstalledServer } from './support/release/installed-server.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

// Releases a version of a clone, and uses what was built without the clone.

const VERSION = '99.0.0'
const STORES = 'test/fixtures/stores'
const folder = mkdtempSync(join(tmpdir(), 'slots-release-test-'))
const clone = join(folder, 'clone')
const artifacts = join(clone, 'release', VERSION)
const env = {
  ...process.env,
  // The Node.js of this run also where the clone has no packages yet.
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
  npm_config_prefer_offline: 'true',
}

before(async () => {
  git(folder, 'clone', '--quiet', ROOT, clone)
  await release(VERSION, '--tag')
})
after(() => rmSync(folder, { recursive: true }))

test('the tag has the version in every file, and its changes in the changelog', () => {
  assert.equal(git(clone, 'status', '--porcelain'), '')
  assert.equal(git(clone, 'rev-parse', `v${VERSION}^{commit}`), git(clone, 'rev-parse', 'HEAD'))
  assert.equal(git(clone, 'show', '-s', '--format=%s'), `chore(release): ${VERSION}`)
  const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'))
  const locked = ['', 'client', 'dashboard'].map((path) => lock.packages[path].version)
  assert.deepEqual([lock.version, ...locked], [VERSION, VERSION, VERSION, VERSION])
  assert.match(
    readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'),
    /^## Unreleased\n\n## 99\.0\.0 - \d{4}-\d\d-\d\d\n\n\S/m,
  )
})

test('a version is released once, and only from a clean checkout', async () => {
  await assert.rejects(release(VERSION), /Version 99\.0\.0 does not follow 99\.0\.0/)
  await assert.rejects(release('99.1.0'), /has no unreleased changes/)
  writeFileSync(join(clone, 'new.txt'), '')
  await assert.rejects(release('99.1.0'), /There are uncommitted changes/)
  rmSync(join(clone, 'new.txt'))
})

test('the checksums cover every artifact, and the provenance names the tagged commit', () => {
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: artifacts })
  const listed = readFileSync(join(artifacts, 'SHA256SUMS'), 'utf8').trim().split('\n')
  const names = listed.map((line) => line.slice(66))
  assert.deepEqual(
    readdirSync(artifacts).filter((name) => !names.includes(name)),
    ['SHA256SUMS', 'notes.md'],
  )
  const { subject, predicate } = JSON.parse(readFileSync(join(artifacts, 'provenance.json'), 'utf8'))
  assert.equal(subject.length, 4)
  assert.equal(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, git(clone, 'rev-parse', 'HEAD'))
  assert.equal(JSON.parse(readFileSync(join(artifacts, 'bom.json'), 'utf8')).metadata.component.version, VERSION)
})

test('the package of the server installs without other packages, and serves', async () => {
  const prefix = join(folder, 'global')
  const tarball = join(artifacts, `scheduling-slots-server-${VERSION}.tgz`)
  const install = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--omit=optional',
    '--offline',
    '--loglevel=error',
    tarball,
  ]
  await promisify(execFile)('npm', install, { env })
  const { stdout } = await promisify(execFile)(join(prefix, 'bin/slots'), ['--version'], { env })
  assert.equal(stdout.trim(), VERSION)
  const main = join(prefix, 'lib/node_modules/scheduling-slots-server/dist/main.js')
  await using service = await RunningService.prepare(undefined, main)
  const key = await service.createKey()
  await service.serve()
  assert.equal((await service.slots(key, 'limit=1')).body.total, 0)
  for (const path of ['/', '/app', '/docs']) assert.equal((await fetch(`${service.origin}${path}`)).status, 200, path)
})

test('the package of the client installs without other packages', async () => {
  const project = mkdtempSync(join(folder, 'project-'))
  const tarball = join(artifacts, `scheduling-slots-${VERSION}.tgz`)
  await promisify(execFile)('npm', ['install', '--prefix', project, '--offline', '--loglevel=error', tarball], { env })
  const script = 'console.log(typeof (await import("scheduling-slots")).SlotsClient)'
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: project })
  assert.equal(run.stdout.trim(), 'function')
})

test('the archive of the chart has one folder with the version', () => {
  const tarball = join(artifacts, `scheduling-slots-chart-${VERSION}.tgz`)
  const chart = execFileSync('tar', ['-xzOf', tarball, 'scheduling-slots/Chart.yaml'], { encoding: 'utf8' })
  assert.match(chart, /^version: 99\.0\.0\nappVersion: "99\.0\.0"$/m)
})

const skip = git(ROOT, 'rev-parse', '--is-shallow-repository') === 'true' && 'The history has no version before'

test('from the packages alone: install, upgrade, back up, destroy and restore; a revoked key stays revoked', {
  skip,
}, async () => {
  const versions = readdirSync(join(ROOT, STORES)).sort(compareVersions)
  const before = versions.at(-1) ?? ''
  const packages = [await packageOf(before), join(artifacts, `scheduling-slots-server-${VERSION}.tgz`)]
  using server = await InstalledServer.in(mkdtempSync(join(folder, 'drill-')))

  await server.install(packages[0])
  assert.equal(await server.run('slots --version'), `${before}\n`)
  await server.serve()
  await server.run('slots org create "Good Health"')
  const [kept, leaked] = [await server.createKey('kept'), await server.createKey('leaked')]
  const statuses = () => server.statuses(kept, leaked)
  // Keys that another process creates are known within a second.
  await eventually(async () => (await statuses()).every((status) => status === 200))
  assert.match(await server.run(documentedCommand('upgrading.md', 'backup')), /^Backed up /m)
  await server.stop()

  await server.install(packages[1])
  await server.serve()
  assert.deepEqual(await statuses(), [200, 200])
  await server.run(documentedCommand('backup.md', 'backup'))
  await server.run(`slots key revoke ${leaked.id} --yes`)
  await eventually(async () => (await statuses())[1] === 401)
  await server.run('cp data/slots.db-revocations backups/')
  await server.stop()

  await server.run('rm -r data && mkdir data && cp backups/slots.db-revocations data/')
  assert.match(await server.run(documentedCommand('backup.md', 'restore')), /^Restored .*: revision \d+\.$/m)
  await server.run('slots audit verify')
  await server.serve()
  assert.deepEqual(await statuses(), [200, 401])
  await server.stop()

  // Back to the version before, with the backup that was made by it.
  await server.install(packages[0])
  const restore = documentedCommand('backup.md', 'restore').replace('slots-2030-01-31', 'before-upgrade')
  await server.run(`${restore} --replace`)
  await server.serve()
  assert.deepEqual(await statuses(), [200, 401])
  await server.stop()
})

/** Builds the package of the server of an earlier version, in a clean clone of the commit that added a store of it. Returns its path. */
async function packageOf(version: string): Promise<string> {
  const facts = `${STORES}/${version}/facts.json`
  const commit = git(ROOT, 'log', '--diff-filter=A', '--format=%H', '-1', '--', facts)
  const [earlier, built] = [join(folder, 'earlier'), join(folder, 'earlier-artifacts')]
  git(folder, 'clone', '--quiet', ROOT, earlier)
  git(earlier, 'checkout', '--quiet', commit)
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: earlier, env })
  await npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
  await npm('run', '-s', 'release:artifacts', '--', built)
  return join(built, `scheduling-slots-server-${version}.tgz`)
}

function release(...args: string[]): Promise<unknown> {
  return promisify(execFile)(process.execPath, ['deploy/release/release.ts', ...args], { cwd: clone, env })
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env }).trim()
}
