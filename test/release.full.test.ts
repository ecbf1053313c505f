import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

// Releases a version of a clone, and uses what was built without the clone.

const VERSION = '99.0.0'
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

function release(...args: string[]): Promise<unknown> {
  return promisify(execFile)(process.execPath, ['deploy/release/release.ts', ...args], { cwd: clone, env })
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env }).trim()
}
