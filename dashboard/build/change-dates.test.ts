import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { changeDates } from './change-dates.ts'

test('states the day of the newest commit of each file, and none without a history', (context) => {
  const folder = tempFolder(context)
  const repository = join(folder, 'repository')
  mkdirSync(join(repository, 'docs'), { recursive: true })
  assert.deepEqual(changeDates(['docs'], repository), new Map())
  git(repository, 'init', '--quiet')
  assert.deepEqual(changeDates(['docs'], repository), new Map())
  for (const [name, day] of [
    ['docs/slots.md', '2026-01-02'],
    ['docs/keys.md', '2026-02-03'],
    ['docs/slots.md', '2026-03-04'],
    ['README.md', '2026-04-05'],
  ]) {
    writeFileSync(join(repository, name), day)
    git(repository, 'add', name)
    git(repository, 'commit', '--quiet', '-m', 'a change', '--date', `${day}T12:00:00Z`)
  }
  const expected = { 'docs/slots.md': '2026-03-04', 'docs/keys.md': '2026-02-03' }
  assert.deepEqual(Object.fromEntries(changeDates(['docs'], repository)), expected)
  assert.deepEqual(changeDates(['docs'], join(repository, 'docs')), new Map())
  git(folder, 'clone', '--quiet', '--depth=1', `file://${repository}`, 'shallow')
  assert.deepEqual(changeDates(['docs'], join(folder, 'shallow')), new Map())
})

/** With the day of the argument `--date` as that of the commit. */
function git(folder: string, ...args: string[]): void {
  const day = args[args.indexOf('--date') + 1]
  const config = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
  const env = { ...process.env, ...(args.includes('--date') && { GIT_COMMITTER_DATE: day }) }
  execFileSync('git', ['-C', folder, ...config, ...args], { env, stdio: 'pipe' })
}
