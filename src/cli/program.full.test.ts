import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { commandLine } from '../../test/support/cli/command-line.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { COMMANDS } from './commands.ts'

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
    ['keys', ['key create', 'key list', 'key edit', 'key rotate', 'key revoke']],
    ['sycn', ['sync']],
    ['key nonsense', ['key create', 'key list', 'key edit', 'key rotate', 'key revoke']],
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

test('bash completes groups, commands and options', async (t) => {
  const { out } = await (await commandLine(t)).run('completion', 'bash')
  const complete = (line: string) => {
    const words = line.split(' ')
    const script = `${out}
COMP_WORDS=(slots ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_slots; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  }
  assert.deepEqual(complete('s'), ['subscription', 'source', 'store', 'serve', 'sync'])
  assert.deepEqual(complete('key '), ['create', 'list', 'edit', 'rotate', 'revoke'])
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

test('zsh completes groups, commands and options on a terminal', async (t) => {
  if (spawnSync('zsh', ['-c', 'zmodload zsh/zpty']).status !== 0) return t.skip('zsh is not installed')
  const folder = tempFolder(t)
  const { out } = await (await commandLine(t)).run('completion', 'zsh')
  await writeFile(join(folder, 'slots.zsh'), out)
  // `zpty -r` waits for the pattern. The words that it waits for are not among those that are typed.
  const script = `zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "stty rows 50 columns 200; $1; source ${folder}/slots.zsh; echo rea''dy"
zpty -r terminal shown '*ready*'
for typed shown in 'key ' rotate 'key revoke key_1 --r' --reason 'org delete Acme --y' --yes; do
  zpty -w -n terminal $'\\C-u'"slots $typed"$'\\t'
  zpty -r terminal output "*$shown*" || exit 1
done
zpty -d terminal`
  const env = { ...process.env, TERM: 'dumb', HOME: folder }
  // Also in a shell that has not loaded the completion system: its startup file may have no other line.
  for (const before of ['autoload -Uz compinit && compinit -u -D', 'true'])
    execFileSync('zsh', ['-f', '-c', script, 'zsh', before], { env, timeout: 60_000 })
})

test('output that cannot be written is an error in one line', (t) => {
  if (!existsSync('/dev/full')) return t.skip('there is no /dev/full')
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(BIN, ['--version'], { encoding: 'utf8', stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  assert.deepEqual([status, stderr], [1, 'Cannot write the output: ENOSPC: no space left on device, write\n'])
})

test('bin/slots runs the command line from any folder, and commands are printed as it was called', () => {
  const run = (...args: string[]) => execFileSync(BIN, args, { encoding: 'utf8', cwd: '/' })
  assert.equal(run('--version'), `${packageJson.version}\n`)
  assert.match(run('key', 'list', '--help'), new RegExp(`^Usage: ${BIN} key list`))
})

test('bin/slots names the version of Node.js that it needs where none was installed with it', async (t) => {
  const folder = await tempFolder(t)
  const program = join(folder, 'bin/slots')
  await cp(BIN, program)
  const others = join(folder, 'others')
  await mkdir(others)
  const run = () => {
    const { status, stderr } = spawnSync(program, ['serve'], {
      encoding: 'utf8',
      env: { PATH: `${others}:/usr/bin:/bin` },
    })
    return [status, stderr]
  }
  const refused = (version: string) => [
    1,
    `Cannot start: Node.js must be version 24 or newer: got "${version}". Install it, or install without --omit=optional.\n`,
  ]
  for (const [script, version] of [
    ['echo v20.19.4', 'v20.19.4'],
    ['echo v9.11.2', 'v9.11.2'],
    ['exit 127', ''],
  ]) {
    await writeFile(join(others, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    assert.deepEqual(run(), refused(version))
  }
  await writeFile(join(others, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v24.21.0 || exit 3\n', { mode: 0o755 })
  assert.deepEqual(run(), [3, ''])
})
