import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

// npm run sbom [file]   writes the software bill of materials, by default to standard output: CycloneDX 1.6, from package-lock.json

const PACKAGE = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  optional: z.boolean().optional(),
  link: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
type LockedPackage = z.infer<typeof PACKAGE>

const LOCK = z.object({ name: z.string(), version: z.string(), packages: z.record(z.string(), PACKAGE) })
export type Lock = z.infer<typeof LOCK>

/** Parses a package-lock.json. */
export function readLock(path: string | URL): Lock {
  return LOCK.parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** Paths of the packages that `npm ci --omit=dev` may install, those of other platforms included, without the workspaces. */
export function productionPackages({ packages }: Lock): string[] {
  return Object.keys(packages).filter((path) => path.includes('node_modules/') && !isDevelopment(packages[path]))
}

/** Paths of the packages that a package depends on directly and indirectly, without packages of other platforms. */
export function reachableFrom(lock: Lock, from: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [from]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const next of dependenciesOf(lock, path)) {
      if (reached.has(next) || lock.packages[next].optional === true) continue
      reached.add(next)
      waiting.push(next)
    }
  }
  return reached
}

/** A CycloneDX document with every production package, its hash, license and dependencies. */
export function billOfMaterials(lock: Lock, atMs: number): object {
  const paths = productionPackages(lock)
  const root = { type: 'application', name: lock.name, version: lock.version, 'bom-ref': lock.name }
  const workspaces = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules/'))
  const ofRoot = ['', ...workspaces].flatMap((path) => dependenciesOf(lock, path))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date(atMs).toISOString(), component: root },
    components: paths.map((path) => componentOf(path, lock.packages[path])),
    dependencies: [
      { ref: root['bom-ref'], dependsOn: [...new Set(ofRoot)] },
      ...paths.map((path) => ({ ref: path, dependsOn: dependenciesOf(lock, path) })),
    ],
  }
}

function isDevelopment({ dev, link }: LockedPackage): boolean {
  return dev === true || link === true
}

/** A path is unique, unlike name and version: npm may install the same version twice. */
function componentOf(path: string, { version = '', integrity, license, ...flags }: LockedPackage): object {
  const name = nameOf(path)
  const [, algorithm, hash] = /^(sha512|sha256|sha1)-(.+)$/.exec(integrity ?? '') ?? []
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`,
    scope: flags.optional || flags.devOptional ? 'optional' : 'required',
    ...(hash && { hashes: [{ alg: ALGORITHMS[algorithm], content: Buffer.from(hash, 'base64').toString('hex') }] }),
    ...(license && { licenses: [{ expression: license }] }),
  }
}

const ALGORITHMS: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Resolved as Node.js does: the nearest `node_modules` that has the name. */
function dependenciesOf({ packages }: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = packages[path]
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
      if (packages[found] !== undefined) return isDevelopment(packages[found]) ? [] : [found]
      if (folder === '') return []
    }
  })
}

if (import.meta.main) {
  const lock = readLock(new URL('../package-lock.json', import.meta.url))
  writeFileSync(process.argv[2] ?? 1, `${JSON.stringify(billOfMaterials(lock, Date.now()), null, 2)}\n`)
}
