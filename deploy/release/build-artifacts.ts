import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT } from '../../dashboard/build/fingerprint.ts'
import { billOfMaterials, readLock } from '../sbom.ts'
import { checksums, provenanceOf, sha256 } from './provenance.ts'

// npm run release:artifacts -- <folder>   builds what a release of this checkout consists of, in a folder that is empty or missing:
//
//     scheduling-slots-server-<version>.tgz   the server with its dashboard: npm install --global
//     scheduling-slots-<version>.tgz          the TypeScript client
//     scheduling-slots-chart-<version>.tgz    the Helm chart
//     bom.json                                CycloneDX bill of materials
//     provenance.json                         in-toto statement: the commit and the lock file that the files were built from
//     SHA256SUMS                              sha256sum --check SHA256SUMS

const SERVER_FILES = ['bin', 'dist', 'dashboard/dist', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md']

/** The members of package.json that an installed server needs. The bundle contains its packages; Node.js is optional. */
const SERVER_MEMBERS = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines', 'optionalDependencies']

/** Writes the files of a release into a new or empty folder and returns their names. */
function buildArtifacts(folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: choose another folder.`)
  const { version } = readPackage()
  run('npm', ['run', '-s', 'build'])
  packServer(folder)
  run('npm', ['pack', '--silent', '--workspace', 'client', '--pack-destination', folder])
  packChart(join(folder, `scheduling-slots-chart-${version}.tgz`))
  writeJson(join(folder, 'bom.json'), billOfMaterials(readLock(join(ROOT, 'package-lock.json')), committedAtMs()))
  writeJson(join(folder, 'provenance.json'), provenanceOf(filesIn(folder), sourceOf(version)))
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(filesIn(folder)))
  return readdirSync(folder).sort()
}

function packServer(folder: string): void {
  const staged = mkdtempSync(join(tmpdir(), 'slots-package-'))
  try {
    for (const path of SERVER_FILES) cpSync(join(ROOT, path), join(staged, path), { recursive: true })
    const all: Record<string, unknown> = readPackage()
    const members = Object.fromEntries(SERVER_MEMBERS.map((name) => [name, all[name]]))
    writeJson(join(staged, 'package.json'), { ...members, files: SERVER_FILES })
    run('npm', ['pack', '--silent', '--pack-destination', folder], staged)
  } finally {
    rmSync(staged, { recursive: true })
  }
}

/** As `helm package`: a compressed archive with the folder of the chart. The same commit gives the same bytes. */
function packChart(file: string): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', `--mtime=@${committedAtMs() / 1000}`]
  const tar = execFileSync('tar', ['-C', join(ROOT, 'deploy/helm'), ...owner, '-cf', '-', 'scheduling-slots'])
  writeFileSync(file, execFileSync('gzip', ['-9n'], { input: tar }))
}

function sourceOf(version: string) {
  return {
    version,
    commit: git('rev-parse', 'HEAD'),
    lockSha256: sha256(readFileSync(join(ROOT, 'package-lock.json'))),
    nodeVersion: process.version,
    builder: process.env.RELEASE_BUILDER ?? 'urn:scheduling-slots:builder:local',
  }
}

function committedAtMs(): number {
  return Number(git('show', '-s', '--format=%ct', 'HEAD')) * 1000
}

function filesIn(folder: string) {
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
}

function readPackage(): { version: string } & Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function run(command: string, args: readonly string[], cwd = ROOT): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Name a folder: npm run release:artifacts -- <folder>')
  for (const name of buildArtifacts(resolve(folder))) console.log(name)
}
