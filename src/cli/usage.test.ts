import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { PROGRAM, runCommandLine } from './program.ts'

/** Runs the command line in this process; with `parseOnly`, up to the command itself. `columns`: the width of the terminal. */
async function run(
  argv: readonly string[],
  { parseOnly = false, columns }: { parseOnly?: boolean; columns?: number | undefined } = {},
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const context = {
    env: {},
    columns: { out: columns, err: columns },
    interruption: () => new AbortController().signal,
    out: (text: string) => {
      out += `${text}\n`
    },
    err: (text: string) => {
      err += `${text}\n`
    },
  }
  const code = parseOnly
    ? await runCommandLine(argv, context, async (command, _, input) => void command.input.parse(input))
    : await runCommandLine(argv, context)
  return { code, out, err }
}

test('the overview lists every command with its summary', async () => {
  for (const argv of [['--help'], ['-h'], ['help']]) {
    const { code, out } = await run(argv)
    const text = out.replace(/\s+/g, ' ')
    assert.equal(code, 0)
    for (const { name, summary } of COMMANDS) assert.ok(text.includes(` ${name} ${summary}`), name)
  }
})

test('every command shows its help, whatever else is given', async () => {
  for (const listed of COMMANDS) {
    const words = listed.name.split(' ')
    const { description, examples } = await listed.load()
    const help = await run([...words, '--help'])
    assert.deepEqual([help.code, help.err], [0, ''])
    assert.ok(help.out.startsWith(`Usage: ${PROGRAM} ${listed.name}`), help.out)
    const text = help.out.replace(/\s+/g, ' ')
    assert.ok(text.includes(description.replace(/\s+/g, ' ')), listed.name)
    for (const example of examples) assert.ok(help.out.includes(`  ${PROGRAM} ${example}`))
    for (const argv of [
      [...words, '-h'],
      ['help', ...words],
      [...words, 'a', 'b', 'c', '--help'],
    ]) {
      assert.deepEqual(await run(argv), help, argv.join(' '))
    }
  }
})

for (const { columns, width } of [
  { columns: undefined, width: 120 },
  { columns: 0, width: 120 },
  { columns: 200, width: 120 },
  { columns: 80, width: 80 },
]) {
  test(`every help breaks a line only where the next word does not fit into ${columns} columns`, async () => {
    for (const { name } of COMMANDS) {
      const { out } = await run([...name.split(' '), '--help'], { columns })
      const [description] = out.split(/^(?:Arguments|Options|Examples):$/m)
      const lines = description.split('\n')
      for (const [at, line] of lines.entries()) {
        const [word] = lines[at + 1]?.split(' ') ?? ['']
        const isBroken = line !== '' && word !== ''
        assert.ok(line.length <= width && (!isBroken || line.length + 1 + word.length > width), `${name}: ${line}`)
      }
    }
  })
}

test('help fits into the terminal, also after an error; lines to copy stay whole', async () => {
  for (const argv of [['--help'], [], ['source', '--help'], ['source']]) {
    const { out, err } = await run(argv, { columns: 80 })
    const lines = (out + err).split('\n').filter((line) => !line.startsWith(`  ${PROGRAM} `))
    assert.ok(lines.some((line) => line.length > 70))
    for (const line of lines) assert.ok(line.length <= 80, `${argv.join(' ')}: ${line}`)
  }
})

test('every example of every command, of the help and of the documentation is valid', async () => {
  const pages = [
    'README.md',
    'docs/guide/self-hosting.md',
    'docs/operations.md',
    'docs/operating-sources.md',
    'docs/alerts.md',
    'docs/backup.md',
    'docs/monitoring.md',
  ].map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
  const texts = [(await run(['--help'])).out, ...pages]
  for (const { name } of COMMANDS) texts.push((await run([...name.split(' '), '--help'])).out)
  const examples = texts.flatMap((text) =>
    [...text.matchAll(/^ *npm run -s slots -- ([^<[\n]*)$/gm)].map(([, line]) => line),
  )
  assert.ok(examples.length > COMMANDS.length)
  for (const example of examples) {
    const words = [...example.replace(/ [|#] ?.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain,
    )
    const { code, err } = await run(words, { parseOnly: true })
    assert.deepEqual([code, err], [0, ''], example)
  }
})

test('errors suggest the nearest command and option', async () => {
  assert.match((await run(['srve'])).err, /unknown command 'srve'\nDid you mean:\n {2}serve {2}run the service/)
  assert.match((await run(['key', 'creat'])).err, /Did you mean:\n {2}key create {2}/)
  assert.match(
    (await run(['key', 'create', '--org', 'a', '--nam', 'b'])).err,
    /unknown option '--nam'\n\(Did you mean --name\?\)/,
  )
})

for (const [argv, message] of [
  [[], /^Usage: /],
  [['srve'], /unknown command 'srve'/],
  [['key'], /Usage: npm run -s slots -- key .*create .*list .*revoke/s],
  [['org', '--json'], /unknown option '--json'/],
  [['--json', 'org', 'list'], /unknown option '--json'/],
  [['toString'], /unknown command 'toString'/],
  [['org', 'create'], /missing required argument 'name'/],
  [['org', 'create', 'Good', 'Health'], /too many arguments for 'create'. Expected 1 argument but got 2/],
  [['org', 'list', 'x'], /too many arguments for 'list'. Expected 0 arguments but got 1/],
  [['key', 'create'], /required option '--org <name>' not specified/],
  [['key', 'create', '--org'], /option '--org <name>' argument missing/],
  [['key', 'create', '--org='], /option '--org <name>' needs a value/],
  [['key', 'create', '--org', '--json'], /option '--org <name>' needs a value/],
  [['key', 'create', '--org', 'a', '--org', 'b'], /option '--org <name>' must be given once/],
  [['key', 'create', '--org', 'a', '--toString'], /unknown option '--toString'/],
  [['key', 'list', '--json=yes'], /unknown option '--json=yes'/],
  [['key', 'list', '-x'], /unknown option '-x'/],
  [['sync', 'a', 'b'], /too many arguments for 'sync'. Expected 1 argument but got 2/],
  [['source', 'add', 'UPPER', 'https://a/'], /Invalid <slug>: must be 1 to 63 lower-case letters/],
] as const) {
  test(`"${argv.join(' ')}" is a usage error that names the problem`, async () => {
    const { code, out, err } = await run(argv)
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, message)
  })
}
