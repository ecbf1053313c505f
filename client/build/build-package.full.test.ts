import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { SampleService } from '../../test/support/sample-service.ts'
import { ROOT } from '../../test/support/source-files.ts'
import { buildPackage } from './build-package.ts'

const GZIPPED_MAX = 5000
const EXAMPLES = ['docs/guide/client.md', 'client/README.md', 'docs/guide/mirroring.md']

/** The package as it is published, and installed where nothing else is. */
let folder: string
let packed: string[]

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-package-'))
  const made = join(folder, 'made')
  await mkdir(made)
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(ROOT, 'client', file), join(made, file))
  await buildPackage(join(made, 'dist'))
  const said = await run(made, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)
  const [{ filename, files }] = Object.values(JSON.parse(said)) as [{ filename: string; files: { path: string }[] }]
  packed = files.map(({ path }) => path).sort()
  await mkdir(join(folder, 'fresh'))
  await writeFile(join(folder, 'fresh/package.json'), '{"type":"module"}')
  await run(join(folder, 'fresh'), 'npm', 'install', '--offline', '--no-audit', join(folder, filename))
})

after(() => rm(folder, { recursive: true, force: true }))

test('contains what is needed and nothing else', () => {
  assert.deepEqual(
    packed.filter((path) => !/^dist\/[a-z-]+\.d\.ts$/.test(path)),
    ['LICENSE', 'README.md', 'dist/scheduling-slots.js', 'package.json'],
  )
  assert.ok(packed.includes('dist/scheduling-slots.d.ts'))
})

test(`has at most ${GZIPPED_MAX} bytes gzipped, and imports nothing`, async () => {
  const text = await readFile(join(folder, 'fresh/node_modules/scheduling-slots/dist/scheduling-slots.js'), 'utf8')
  const { length } = gzipSync(text, { level: 9 })
  assert.ok(length <= GZIPPED_MAX, `it has ${length}`)
  assert.doesNotMatch(text, /\b(import|require|process|Buffer)\b/)
})

test('has the licence of the project', async () => {
  const read = (path: string) => readFile(join(ROOT, path), 'utf8')
  assert.equal(await read('client/LICENSE'), await read('LICENSE'))
})

test('type-checks without the types of Node.js, and refuses unknown filters', async () => {
  await writeFile(
    join(folder, 'fresh/typed.ts'),
    `import { type Slot, SlotsClient, SlotsError } from 'scheduling-slots'
const client = new SlotsClient({ url: new URL('https://slots.example'), apiKey: 'k', fetch })
export const ids: string[] = []
for await (const slot of client.slots({ state: 'MA', status: 'busy', startAfter: new Date() })) ids.push(slot.id)
export const slot: Slot | undefined = await client.slot('a')
for await (const { changes } of client.changes('1.0', { state: ['MA', 'NY'] }))
  for (const change of changes) ids.push(change.change === 'removed' ? change.id : change.slot.id)
export const kind = (fault: SlotsError) => fault.kind === 'gone'
// @ts-expect-error: no such filter
client.slots({ town: 'Boston' })
// @ts-expect-error: no such status
client.page({ status: 'taken' })
// @ts-expect-error: pages are the client's own work
client.slots({ cursor: '' })
`,
  )
  for (const lib of ['ES2022,WebWorker', 'ES2022,DOM']) {
    const options = ['--noEmit', '--strict', '--target', 'ES2022', '--module', 'NodeNext', '--lib', lib]
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    await run(join(folder, 'fresh'), process.execPath, compiler, ...options, '--types', '', 'typed.ts')
  }
})

test('the examples of its documentation work as described', async () => {
  await using sample = await SampleService.serve({ slots: 1000 })
  const read = (path: string) => readFile(join(ROOT, path), 'utf8')
  const texts = await Promise.all(EXAMPLES.map(read))
  const examples = texts
    .flatMap((text) => [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code))
    .filter((code) => !code.includes('fetch('))
  assert.ok(examples.length > 5)
  const [first] = examples
  const prelude = first.slice(0, first.indexOf('for await'))
  for (const [n, code] of examples.entries()) {
    const whole = code.includes('new SlotsClient') ? code : prelude + code
    const file = `example-${n}.mts`
    const filled = whole.replace(/http:\/\/localhost:8080|https:\/\/slots\.example\.org/g, sample.service.origin)
    await writeFile(join(folder, 'fresh', file), filled)
    if (code.includes('.watch(')) await watch(file, sample)
    else assert.notEqual(await run(join(folder, 'fresh'), process.execPath, file, { key: sample.key }), '', code)
  }
})

/** Runs an example that does not end until it writes something. */
async function watch(file: string, { key, service, publisherUrl }: SampleService): Promise<void> {
  const env = { ...process.env, SLOTS_API_KEY: key }
  const child = spawn(process.execPath, [file], {
    cwd: join(folder, 'fresh'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const first = once(child.stdout, 'data')
    for (let n = 0; !(await Promise.race([first.then(() => true), sleep(1000, false)])); n++) {
      await service.run('source', 'add', `${file.replace('.mts', '')}-${n}`, publisherUrl)
      assert.ok(n < 30, file)
    }
  } finally {
    child.kill()
  }
}

/** What it writes. Rejects if it does not end well within a minute. */
async function run(cwd: string, command: string, ...rest: (string | { key: string })[]): Promise<string> {
  const args = rest.filter((each) => typeof each === 'string')
  const key = rest.find((each) => typeof each === 'object')?.key
  const env = { ...process.env, ...(key !== undefined && { SLOTS_API_KEY: key }) }
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, timeout: 60_000 }).catch((fault) =>
    assert.fail(`${command} ${args.join(' ')}: ${fault.stderr}${fault.stdout}`),
  )
  return stdout
}
