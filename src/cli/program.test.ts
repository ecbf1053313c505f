import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { commandLine } from '../../test/support/cli/command-line.ts'
import { COMMANDS } from './commands.ts'
import { editDistance } from './unknown-command.ts'

const BIN = join(import.meta.dirname, '../..', packageJson.bin.slots)

test('prints its version', async (t) => {
  const slots = await commandLine(t)
  for (const argument of ['--version', '-V'])
    assert.deepEqual(await slots.run(argument), { code: 0, out: `${packageJson.version}\n`, err: '' })
})

test('guesses which command was meant, one per line', async (t) => {
  const slots = await commandLine(t)
  for (const [words, commands] of [
    ['key lst', ['key list']],
    ['srouce list', ['source list']],
    ['organization', undefined],
    ['keys', ['key create', 'key list', 'key rotate', 'key revoke']],
    ['sycn', ['sync']],
    ['key nonsense', ['key create', 'key list', 'key rotate', 'key revoke']],
    ['xyzzy', undefined],
  ] as const) {
    const { code, out, err } = await slots.run(...words.split(' '))
    const [first, heading, ...lines] = err.trimEnd().split('\n')
    assert.deepEqual([code, out], [2, ''], words)
    assert.match(first, /^error: unknown command '/)
    assert.equal(heading, commands === undefined ? 'Commands:' : 'Did you mean:')
    const names = lines.map((line) => line.trim().split(/ {2,}/)[0])
    assert.deepEqual(names, commands ?? COMMANDS.map(({ name }) => name), words)
  }
})

test('counts edits between words', () => {
  for (const [from, to, edits] of [
    ['', '', 0],
    ['', 'ab', 2],
    ['key', 'keys', 1],
    ['sycn', 'sync', 1],
    ['kitten', 'sitting', 3],
  ] as const) {
    assert.equal(editDistance(from, to), edits)
    assert.equal(editDistance(to, from), edits)
  }
})

test('bash completes groups, commands and options', async (t) => {
  const { out } = await (await commandLine(t)).run('completion', 'bash')
  const complete = (line: string) => {
    const words = line.split(' ')
    const script = `${out}
COMP_WORDS=(slots ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_slots; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  }
  assert.deepEqual(complete('s'), ['source', 'store', 'serve', 'sync'])
  assert.deepEqual(complete('key '), ['create', 'list', 'rotate', 'revoke'])
  assert.deepEqual(complete('key r'), ['rotate', 'revoke'])
  assert.deepEqual(complete('key revoke key_1 --r'), ['--reason'])
  assert.deepEqual(complete('org delete Acme --y'), ['--yes'])
  assert.deepEqual(complete('completion --j'), ['--json'])
  assert.deepEqual(complete('serve --'), ['--help'])
  assert.deepEqual(complete('nothing '), [''])
})

test('zsh gets each command and option with its description', async (t) => {
  const { out } = await (await commandLine(t)).run('completion', 'zsh')
  for (const { name, summary } of COMMANDS) {
    const item = `'${name.split(' ').at(-1)}:${summary.replaceAll(/['"]/g, '')}'`
    assert.ok(out.includes(item), item)
    assert.ok(out.includes(`    '${name}' | '${name} '*) choices=(`), name)
  }
  // The part of the syntax that both shells have.
  execFileSync('bash', ['-n', '-c', out.replace(/case .* in/, 'case "$words" in')])
})

test('bin/slots runs the command line from any folder, and commands are printed as it was called', () => {
  const run = (...args: string[]) => execFileSync(BIN, args, { encoding: 'utf8', cwd: '/' })
  assert.equal(run('--version'), `${packageJson.version}\n`)
  assert.match(run('key', 'list', '--help'), new RegExp(`^Usage: ${BIN} key list`))
})
