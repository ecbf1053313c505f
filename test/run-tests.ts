import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { MINUTE_MS } from '../src/lib/time.ts'
import { serveChromium } from './browser/chromium.ts'
import { POSTGRES_FOLDER_VARIABLE, PostgresServer } from './postgres/postgres-server.ts'
import { memoryFolder } from './support/runner/memory-folder.ts'
import { SERVICES_VARIABLE, serveSharedServices } from './support/runner/shared-services.ts'
import { groupTests, type TestEntry } from './support/runner/test-groups.ts'
import { TestReport } from './support/runner/test-report.ts'
import { ROOT } from './support/source-files.ts'

// npm test                 all test files except *.full.test.ts
// npm run test:full        the rest: *.full.test.ts, and the files of DEEPER with many more cases
// npm test -- <patterns>   these files, of either kind
//
// A full run repeats the browser tests that fail, once and alone: a browser on a busy machine may take longer than any test waits. The
// summary lists those that pass then; the cause of each must be found.

const EVERY = '{src,test,demo,bench,{dashboard,client}/{build,src}}/**/*.test.ts'
const FULL = /\.full\.test\.ts$/

/** Files whose number of cases the environment sets, also those that call `casesOf()`: a full run repeats them with more. */
const DEEPER = [
  'test/fuzz/fuzz.test.ts',
  'test/contract.test.ts',
  'src/feeds/conformance.test.ts',
  'src/store/sqlite/sqlite-store.test.ts',
]

const SHORT_RUN = {
  CASES_SHARE: '0.05',
  FUZZ_CASES: '200',
  CONTRACT_REQUESTS: '300',
  CONFORMANCE_LINES: '1000',
  STORE_DEPTH: '0.05',
}
const FULL_RUN = {
  AXE_SCHEMES: 'both',
  FUZZ_CASES: '100000',
  CONTRACT_REQUESTS: '50000',
  CONFORMANCE_LINES: '100000',
  STORE_DEPTH: '1',
}

/** Several times as long as any test takes: one that hangs fails. */
const TEST_MS_MAX = 15 * MINUTE_MS

/** Preloaded by each process. */
const OWN_INSTANCES = join(ROOT, 'test/support/runner/own-instances.ts')

/** Files that judge how long callers wait, which others beside them would lengthen: they run alone, at the end. */
const TIMED = ['test/security/fairness.full.test.ts', 'test/torture/torture.full.test.ts']

const CACHE = join(ROOT, 'node_modules/.cache')
const TIMES = join(CACHE, 'test-times.json')

const isFull = process.argv.includes('--full')
/** Many tests wait for a process, a database or a delay half of the time. A browser test of a full run hung beside three others. */
const filesAtOnce = isFull ? availableParallelism() + 1 : availableParallelism() * 2
const patterns = process.argv.slice(2).filter((argument) => argument !== '--full')
const startedAtMs = performance.now()
const entries = bySlowest(groupTests(selectFiles(), join(CACHE, 'test-groups')))
const report = new TestReport((line) => console.log(line), entries)
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

{
  await using stack = new AsyncDisposableStack()
  const memory = process.env.TMPDIR === undefined ? memoryFolder() : undefined
  if (memory !== undefined) {
    stack.defer(() => rmSync(memory, { recursive: true, force: true }))
    // The SQLite stores of a full run may be larger than memory.
    process.env[isFull ? POSTGRES_FOLDER_VARIABLE : 'TMPDIR'] = memory
  }
  const services = stack.use(
    await serveSharedServices({
      async postgres() {
        const { port, binaries } = stack.use(await PostgresServer.start())
        return { port, binaries }
      },
      async chromium() {
        const server = stack.adopt(await serveChromium(), (server) => server.close())
        return { endpoint: server.wsEndpoint() }
      },
      async server() {
        await import('../deploy/server/build.ts')
        return { main: join(ROOT, 'dist/main.js') }
      },
    }),
  )
  const env = {
    // A process starts in half the time if it finds the modules compiled.
    NODE_COMPILE_CACHE: join(CACHE, 'compiled'),
    ...(isFull ? FULL_RUN : SHORT_RUN),
    ...process.env,
    [SERVICES_VARIABLE]: services.address,
  }
  const runFiles = async (paths: readonly string[], concurrency: number) => {
    const files = paths.map((path) => resolve(ROOT, path))
    const events = run({
      cwd: ROOT,
      files,
      concurrency,
      signal: interrupted.signal,
      env,
      timeout: TEST_MS_MAX,
      execArgv: ['--import', OWN_INSTANCES],
    })
    for await (const event of events as AsyncIterable<TestEvent>) report.take(event)
  }
  const paths = entries.map(({ path }) => path)
  const isTimed = (path: string) => TIMED.includes(path)
  await runFiles(
    paths.filter((path) => !isTimed(path)),
    filesAtOnce,
  )
  await runFiles(paths.filter(isTimed), 1)
  const repeated = isFull ? report.failedFiles.filter((path) => path.startsWith('test/browser/')) : []
  for (const path of repeated) report.repeat(path)
  await runFiles(repeated, 1)
}

report.summarize((performance.now() - startedAtMs) / 1000)
rememberTimes()
const { passed, failed } = report.counts
process.exitCode = failed > 0 || passed === 0 || interrupted.signal.aborted ? 1 : 0

function selectFiles(): string[] {
  const found = globSync(patterns.length > 0 ? patterns : EVERY, {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  })
  if (patterns.length > 0) return found
  return found.filter((path) => FULL.test(path) === isFull || (isFull && isDeeper(path)))
}

function isDeeper(path: string): boolean {
  return DEEPER.includes(path) || /\bcasesOf\(/.test(readFileSync(join(ROOT, path), 'utf8'))
}

/** The slowest of the last run first, so that no long file is left for the end. */
function bySlowest(entries: readonly TestEntry[]): TestEntry[] {
  const times = readTimes()
  const timeOf = ({ path }: TestEntry) => times[path] ?? Number.POSITIVE_INFINITY
  return entries.toSorted((one, other) => timeOf(other) - timeOf(one) || one.path.localeCompare(other.path))
}

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'))
  } catch {
    return {}
  }
}

function rememberTimes(): void {
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(TIMES, JSON.stringify({ ...readTimes(), ...Object.fromEntries(report.fileMs) }))
}
