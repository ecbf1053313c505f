import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { documentedExamples, type Example, LANGUAGES, type Language } from './support/documented-examples.ts'
import { type Recorded, RecordingProxy } from './support/recording-proxy.ts'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'
import { StandIns } from './support/stand-ins.ts'

const EXAMPLES = documentedExamples()

/** The command and the file name of an example. */
const RUN: Readonly<Record<Language, { file: string; command: string; args: readonly string[] }>> = {
  sh: { file: 'example.sh', command: 'bash', args: ['-euo', 'pipefail'] },
  ts: { file: 'example.mts', command: process.execPath, args: [] },
  python: { file: 'example.py', command: 'python3', args: [] },
}

let sample: SampleService
let proxy: RecordingProxy
let standIns: StandIns
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'))
  proxy = await RecordingProxy.before(() => sample.service.origin)
  sample = await SampleService.serve({ slots: 12_000, env: { BASE_URL: proxy.origin, OPEN_FEED: 'true' } })
  standIns = await StandIns.of(sample, proxy.origin)
})

after(async () => {
  await sample?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test('the guide shows each request in each language', () => {
  assert.ok(EXAMPLES.length > 10)
  const lacking = EXAMPLES.flatMap(({ where, code }) =>
    LANGUAGES.filter((language) => code[language] === undefined).map((language) => `${where}: ${language}`),
  )
  assert.deepEqual(lacking, [])
})

for (const language of LANGUAGES) {
  const { command } = RUN[language]
  const missing = [command, ...(language === 'sh' ? ['curl'] : [])].filter((program) => !isThere(program))
  const skip = missing.length > 0 && `this machine has no ${missing.join(', no ')}: none of these examples is run`
  test(`the examples of the guide in ${language} work`, { skip }, async () => {
    for (const example of EXAMPLES) {
      if (example.code[language] === undefined) continue
      const where = `${example.where}, ${language}`
      await run(language, example.code[language], where)
      const asked = proxy.take()
      assert.ok(asked.length > 0, `${where} asks nothing`)
      for (const each of asked) assertSensible(each, where)
      assert.equal(questionOf(asked[0].url), questionIn(example), where)
    }
  })
}

/** Rejects with the output of the program if it fails. */
async function run(language: Language, code: string, where: string): Promise<void> {
  const { file, command, args } = RUN[language]
  const place = mkdtempSync(join(folder, 'run-'))
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  writeFileSync(join(place, file), standIns.putInto(code))
  const env = { PATH: process.env.PATH, HOME: place, SLOTS_API_KEY: sample.key }
  await promisify(execFile)(command, [...args, file], { cwd: place, env, timeout: 60_000 }).catch((error) =>
    assert.fail(`${where}: ${error.stderr || error.message}`),
  )
}

/** An answer as the guide has it, with something in it. */
function assertSensible({ url, status, type, body }: Recorded, where: string): void {
  const asked = `${where}: ${url}: ${status} ${body.slice(0, 300)}`
  assert.ok(status === 200 || status === 304, asked)
  if (status === 200) assert.ok(isSomething(type, body), asked)
}

function isSomething(type: string, body: string): boolean {
  if (!type.startsWith('application/json')) return body.split('\n').length > 2
  const answer = JSON.parse(body)
  // Nothing has changed since the sample was read.
  if ('changes' in answer) return typeof answer.revision === 'string'
  return 'id' in answer || Object.values(answer).some((value) => Array.isArray(value) && value.length > 0)
}

/** The first address that stands in the example's curl. */
function questionIn({ code, where }: Example): string {
  const address = /["'](http[^"']+\/v1\/[^"']*)["']/.exec(standIns.putInto(code.sh ?? ''))?.[1]
  assert.ok(address, where)
  return questionOf(new URL(address))
}

/** The request, in any notation. */
function questionOf({ pathname, searchParams }: URL): string {
  return `${decodeURIComponent(pathname)}?${[...searchParams].map(String).sort().join('&')}`
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
