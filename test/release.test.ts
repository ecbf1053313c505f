import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { releaseChanges } from '../deploy/release/changelog.ts'
import { checksums, provenanceOf } from '../deploy/release/provenance.ts'
import { compareVersions, requireLater, writeVersion } from '../deploy/release/version.ts'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from './support/source-files.ts'
import { tempFolder } from './support/temp-folder.ts'

test('versions are ordered by Semantic Versioning', () => {
  const ordered =
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.2.0 1.10.0'
  const versions = ordered.split(' ')
  assert.deepEqual(versions.toReversed().toSorted(compareVersions), versions)
  assert.equal(compareVersions('1.0.0-rc.1', '1.0.0-rc.1'), 0)
})

test('only a later version can be released', () => {
  requireLater('0.2.0', '0.1.0')
  requireLater('0.2.0-rc.1', '0.1.0')
  for (const earlier of ['0.1.0', '0.0.9', '0.1.0-rc.1'])
    assert.throws(() => requireLater(earlier, '0.1.0'), /does not follow 0\.1\.0: choose a later one/)
  for (const wrong of ['1', 'v0.2.0', '0.2', '00.2.0', '0.2.0+build', '0.2.0 '])
    assert.throws(() => requireLater(wrong, '0.1.0'), /is not a semantic version: write one such as 0\.2\.0/)
})

test('a release takes the unreleased changes of the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0 - 2026-01-01\n\n- B.\n'
  const { changelog, notes } = releaseChanges(before, '0.2.0', '2026-11-23')
  assert.equal(notes, '### Added\n\n- A.\n')
  const after = '## Unreleased\n\n## 0.2.0 - 2026-11-23\n\n### Added\n\n- A.\n\n## 0.1.0 - 2026-01-01\n\n- B.\n'
  assert.equal(changelog, `# Changelog\n\n${after}`)
  assert.throws(() => releaseChanges(changelog, '0.3.0', '2026-11-24'), /has no unreleased changes/)
  assert.equal(releaseChanges('## Unreleased\n\n- A.\n', '0.2.0', '2026-11-23').notes, '- A.\n')
})

test('every file that states the version is updated', (t) => {
  const folder = tempFolder(t)
  const stated = ['server.json', 'deploy/helm/scheduling-slots/Chart.yaml']
  for (const path of stated) cpSync(join(ROOT, path), join(folder, path))
  writeVersion(folder, '9.8.7')
  for (const path of stated) {
    const [before, after] = [ROOT, folder].map((root) => readFileSync(join(root, path), 'utf8'))
    assert.equal(before.replaceAll(packageJson.version, '9.8.7'), after)
    assert.match(after, /9\.8\.7/)
  }
})

test('all packages of the project have one version', () => {
  for (const path of ['client/package.json', 'dashboard/package.json'])
    assert.equal(JSON.parse(readFileSync(join(ROOT, path), 'utf8')).version, packageJson.version)
  assert.match(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), /^## Unreleased$/m)
})

test('checksums and provenance name each file by its SHA-256', () => {
  const files = [{ name: 'a.tgz', bytes: Buffer.from('abc') }]
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(checksums(files), `${digest}  a.tgz\n`)
  const source = { version: '0.2.0', commit: 'c0ffee', lockSha256: 'aa', nodeVersion: 'v24.0.0', builder: 'urn:x' }
  const { subject, predicate } = provenanceOf(files, source) as ReturnType<typeof JSON.parse>
  assert.deepEqual(subject, [{ name: 'a.tgz', digest: { sha256: digest } }])
  assert.deepEqual(predicate.buildDefinition.resolvedDependencies[0].digest, { gitCommit: 'c0ffee' })
})
