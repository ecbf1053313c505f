import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { formatHelp } from './help.ts'
import { parseCall } from './parse-call.ts'
import { PROGRAM } from './program.ts'
import { runCommandLine } from './run-command.ts'

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const code = await runCommandLine(argv, {
    env: {},
    clock: () => 0,
    out: (text) => {
      out += `${text}\n`
    },
    err: (text) => {
      err += `${text}\n`
    },
  })
  return { code, out, err }
}

test('the help on the whole lists every command with its usage', async () => {
  for (const argv of [['--help'], ['-h'], ['help']]) {
    const { code, out } = await run(...argv)
    assert.equal(code, 0)
    for (const { name, usage, does } of COMMANDS) {
      assert.ok(out.includes(`${name} ${usage}`.trim()) && out.includes(does), name)
    }
  }
})

test('each command explains itself, whatever else was given', async () => {
  for (const listed of COMMANDS) {
    const help = formatHelp(listed, await listed.load())
    const words = listed.name.split(' ')
    for (const argv of [
      [...words, '--help'],
      [...words, '-h'],
      ['help', ...words],
      [...words, 'a', 'b', 'c', '--help'],
    ]) {
      assert.deepEqual(await run(...argv), { code: 0, out: `${help}\n`, err: '' }, argv.join(' '))
    }
  }
})

test('every example of every command, of the help and of the documentation is rightly formed', async () => {
  const pages = ['README.md', 'docs/guide/self-hosting.md', 'docs/operations.md'].map((path) =>
    readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
  )
  const texts = [(await run('--help')).out, ...pages]
  for (const listed of COMMANDS) texts.push(formatHelp(listed, await listed.load()))
  const examples = texts.flatMap((text) =>
    [...text.matchAll(/^ *npm run -s slots -- ([^<[\n]*)$/gm)].map(([, line]) => line),
  )
  assert.ok(examples.length > COMMANDS.length)
  for (const example of examples) {
    const words = [...example.replace(/ [|#] ?.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain,
    )
    const listed = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
    if (words[0] === '--help') continue
    assert.ok(listed, example)
    parseCall(listed, await listed.load(), words.slice(listed.name.split(' ').length))
  }
})

for (const [argv, said] of [
  [[], /^Scheduling Slots reads/],
  [['srve'], /command must be one of serve, .*: got "srve"\nDid you mean: npm run -s slots -- serve\n/],
  [['key'], /command must be one of key create, key list, key revoke: got "key"/],
  [['key', 'creat'], /Did you mean: npm run -s slots -- key create\n/],
  [['org', '--json'], /command must be one of org create, org list: got "org"/],
  [['--json', 'org', 'list'], /options must stand behind a command: got "--json"/],
  [['toString'], /got "toString"/],
  [['org', 'create'], /"org create": <name> must be given/],
  [
    ['org', 'create', 'Good', 'Health'],
    /it takes <name>: got "Good Health" \(a text with spaces needs quotes\)/,
  ],
  [['org', 'list', 'x'], /it takes nothing: got "x"/],
  [['key', 'create'], /--org <name> must be given/],
  [['key', 'create', '--org'], /--org must be followed by <name>/],
  [['key', 'create', '--org='], /--org must be followed by <name>/],
  [['key', 'create', '--org', '--json'], /--org must be followed by <name>/],
  [['key', 'create', '--org', 'a', '--org', 'b'], /--org must be given once/],
  [['key', 'create', '--orgg', 'a'], /got "--orgg"\. Did you mean --org\?/],
  [['key', 'create', '--toString'], /got "--toString"/],
  [['key', 'list', '--json=yes'], /--json must stand alone: got "--json=yes"/],
  [['key', 'list', '-x'], /got "-x"/],
  [['sync', 'a', 'b'], /it takes <slug>: got "a b"/],
] as const) {
  test(`"${argv.join(' ')}" is wrong use, and is told what would be right`, async () => {
    const { code, out, err } = await run(...argv)
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, said)
    assert.ok(err.includes(`${PROGRAM} `))
  })
}
