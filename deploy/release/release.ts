import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { releaseChanges } from './changelog.ts'
import { requireLater, writeVersion } from './version.ts'

// npm run release -- <version>          dry run: checks, and builds release/<version>/ in a clean checkout; changes nothing else
// npm run release -- <version> --tag    the same, then commits the version and its changelog on this branch, and tags it v<version>
//
// Nothing is pushed. Pushing the tag starts .github/workflows/release.yml, which tests, builds again, signs and publishes.

const ROOT = join(import.meta.dirname, '../..')

/** Where the artifacts of a version are written: see `build-artifacts.ts`. */
function folderOf(version: string): string {
  return join(ROOT, 'release', version)
}

function release(version: string, isTagged: boolean): void {
  requireReleasable(version)
  const date = new Date().toISOString().slice(0, 10)
  const changes = releaseChanges(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, date)
  const work = mkdtempSync(join(tmpdir(), 'slots-release-'))
  git('worktree', 'add', '--quiet', '--detach', work, 'HEAD')
  try {
    commitVersion(work, version, changes.changelog)
    execFileSync('npm', ['run', '-s', 'release:artifacts', '--', folderOf(version)], { cwd: work, stdio: 'inherit' })
    writeFileSync(join(folderOf(version), 'notes.md'), changes.notes)
    if (!isTagged) {
      console.log(`Dry run: ${folderOf(version)} has the artifacts; nothing was committed or tagged.`)
      return
    }
    const commit = gitIn(work, 'rev-parse', 'HEAD')
    git('merge', '--quiet', '--ff-only', commit)
    git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
    console.log(`Committed and tagged v${version}. To publish it: git push origin HEAD v${version}`)
  } finally {
    git('worktree', 'remove', '--force', work)
  }
}

/** Throws if the version, the checkout or an earlier release stands in the way. */
function requireReleasable(version: string): void {
  requireLater(version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  if (git('status', '--porcelain') !== '')
    throw new Error('There are uncommitted changes: commit or remove them first.')
  if (git('tag', '--list', `v${version}`) !== '')
    throw new Error(`Version ${version} was released: v${version} exists.`)
  if (existsSync(folderOf(version))) throw new Error(`${folderOf(version)} exists: remove it to build it again.`)
}

/** Commits the version, its changelog and a store of it in a clean checkout, with the packages of its lock file. */
function commitVersion(work: string, version: string, changelog: string): void {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
  npm('version', version, '--workspaces', '--include-workspace-root', '--no-git-tag-version', '--loglevel=error')
  writeVersion(work, version)
  writeFileSync(join(work, 'CHANGELOG.md'), changelog)
  const stores = join('test/fixtures/stores', version)
  execFileSync(process.execPath, ['deploy/release/keep-store.ts', stores], { cwd: work, stdio: 'inherit' })
  gitIn(work, 'add', stores)
  gitIn(work, 'commit', '--quiet', '--all', '--message', `chore(release): ${version}`)
}

function git(...args: string[]): string {
  return gitIn(ROOT, ...args)
}

function gitIn(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tag: { type: 'boolean', default: false } },
})
if (positionals.length !== 1) throw new Error('Name one version: npm run release -- 0.2.0 [--tag]')
try {
  release(positionals[0], values.tag)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
