import { isAbsolute, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { ROOT } from '../source-files.ts'
import type { TestEntry } from './test-groups.ts'

const SUMMARY_LENGTH_MAX = 300

/** How many of the slowest files and tests the summary lists. */
const SLOWEST = 10

type Completed = Extract<TestEvent, { type: 'test:complete' }>['data']

interface FinishedTest {
  readonly file: string
  readonly name: string
  readonly ms: number
}

/** What happened in one file so far. */
interface FileReport {
  passed: number
  failed: number
  skipped: number
  output: string
  /** Each failed test with the beginning of its error. */
  failures: string[]
}

/**
 * Reports a test run: one line per process when it has finished, which runs one test file or a group, then every failure with its error, every skipped test with its reason, the
 * slowest files and tests, and the counts. The output of a process is shown if a test of it fails.
 */
export class TestReport {
  readonly fileMs = new Map<string, number>()
  readonly #print: (line: string) => void
  readonly #files = new Map<string, FileReport>()
  readonly #tests: FinishedTest[] = []
  readonly #skipped: string[] = []
  #failures: string[] = []
  readonly #failedOutsideTests: string[] = []
  /** The failures of the first run of each repeated file. */
  readonly #repeated = new Map<string, readonly string[]>()
  readonly #entries: ReadonlyMap<string, TestEntry>

  constructor(print: (line: string) => void, entries: readonly TestEntry[]) {
    this.#print = print
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]))
  }

  get counts(): { readonly passed: number; readonly failed: number; readonly skipped: number } {
    const total = { passed: 0, failed: 0, skipped: 0 }
    for (const { passed, failed, skipped } of this.#files.values()) {
      total.passed += passed
      total.failed += failed
      total.skipped += skipped
    }
    return total
  }

  take(event: TestEvent): void {
    if (event.type === 'test:complete') this.#complete(event.data)
    else if (event.type === 'test:stdout' || event.type === 'test:stderr')
      this.#reportOf(event.data.file).output += event.data.message
    else if (event.type === 'test:summary' && event.data.file !== undefined)
      this.#endFile(event.data.file, event.data.duration_ms)
  }

  /** The test files of which a test failed. */
  get failedFiles(): string[] {
    return [...this.#files].filter(([, { failures }]) => failures.length > 0).map(([path]) => path)
  }

  /** Forgets the results of a test file, which runs again. If it passes then, the summary lists its first failures. */
  repeat(path: string): void {
    this.#repeated.set(path, this.#failuresOf(path))
    this.#failures = this.#failures.filter((failure) => !failure.startsWith(`${path}: `))
    this.#files.delete(path)
  }

  /** Prints everything below the lines of the files. */
  summarize(seconds: number): void {
    const { passed, failed, skipped } = this.counts
    // The last words of such a process arrive after its end.
    const outside = this.#failedOutsideTests.map(
      (path) => `${path}: failed outside its tests\n${indented(this.#files.get(path)?.output ?? '')}`,
    )
    const flaky = [...this.#repeated].filter(([path]) => this.#reportOf(path).failed === 0)
    this.#list('Failed', [...this.#failures, ...outside])
    this.#list(
      'Flaky, passed when repeated',
      flaky.flatMap(([path, failures]) => failures.map((failure) => `${path}: ${failure}`)),
    )
    this.#list('Skipped', this.#skipped)
    const files = [...this.fileMs].sort(([, one], [, other]) => other - one)
    this.#list(
      'Slowest files',
      files.slice(0, SLOWEST).map(([path, ms]) => `${inSeconds(ms)}  ${this.#nameOf(path)}`),
    )
    const tests = this.#tests.sort((one, other) => other.ms - one.ms)
    this.#list(
      'Slowest tests',
      tests.slice(0, SLOWEST).map(({ file, name, ms }) => `${inSeconds(ms)}  ${file}: ${name}`),
    )
    this.#print(`\n${passed} passed, ${failed} failed, ${skipped} skipped in ${Math.round(seconds)} s`)
  }

  #complete(completed: Completed): void {
    const { file, name, details } = completed
    const path = pathOf(file)
    if (details.type === 'suite') return
    // The process of a file is reported as a test with the name of the file.
    if (name === file || name === path) this.#completeProcess(path, details.passed)
    else this.#completeTest(path, completed)
  }

  #completeTest(path: string, { name, skip, details }: Completed): void {
    const report = this.#reportOf(path)
    if (!details.passed) {
      const failure = `${name}: ${summaryOf(details.error)}`
      report.failed++
      report.failures.push(failure)
      this.#failures.push(`${path}: ${failure}\n${indented(errorText(details.error))}`)
    } else if (skip !== undefined && skip !== false) {
      report.skipped++
      this.#skipped.push(`${path}: ${name}${typeof skip === 'string' ? ` (${skip})` : ''}`)
    } else report.passed++
    this.#tests.push({ file: path, name, ms: details.duration_ms })
  }

  /** A process counts only if it fails without a failed test, or if a file of it has no test: these would be counted for another file. */
  #completeProcess(path: string, hasPassed: boolean): void {
    if (!hasPassed) {
      if (this.#countsOf(path).failed > 0) return
      this.#reportOf(path).failed++
      this.#failedOutsideTests.push(path)
      return
    }
    for (const file of this.#filesOf(path)) {
      const { passed, failed, skipped } = this.#reportOf(file)
      if (passed + failed + skipped > 0) continue
      this.#reportOf(file).failed++
      this.#failures.push(`${file}: has no test: call test() in the file itself`)
    }
  }

  #endFile(file: string, ms: number): void {
    const path = pathOf(file)
    this.fileMs.set(path, ms)
    const { passed, failed, skipped } = this.#countsOf(path)
    const { output } = this.#reportOf(file)
    const ok = skipped > 0 ? `${passed} passed, ${skipped} skipped` : `${passed} passed`
    const count = failed > 0 ? `${failed} of ${passed + failed} failed` : ok
    this.#print(`${failed > 0 ? 'FAILED' : 'ok    '} ${inSeconds(ms)}  ${this.#nameOf(path)}: ${count}`)
    if (failed > 0)
      for (const shown of [...this.#failuresOf(path), output]) if (shown !== '') this.#print(indented(shown))
  }

  /** The counts of a process: of all test files that it ran. */
  #countsOf(path: string): { passed: number; failed: number; skipped: number } {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const name of new Set([path, ...this.#filesOf(path)])) {
      const { passed, failed, skipped } = this.#reportOf(name)
      counts.passed += passed
      counts.failed += failed
      counts.skipped += skipped
    }
    return counts
  }

  #failuresOf(path: string): string[] {
    return [...new Set([path, ...this.#filesOf(path)])].flatMap((name) => this.#reportOf(name).failures)
  }

  #filesOf(path: string): readonly string[] {
    return this.#entries.get(path)?.files ?? [path]
  }

  /** `src/a.test.ts … src/b.test.ts (12 files)` for a group. */
  #nameOf(path: string): string {
    const files = this.#filesOf(path)
    return files.length > 1 ? `${files[0]} … ${files.at(-1)} (${files.length} files)` : path
  }

  #reportOf(file: string | undefined): FileReport {
    const path = pathOf(file)
    const known = this.#files.get(path) ?? { passed: 0, failed: 0, skipped: 0, output: '', failures: [] }
    this.#files.set(path, known)
    return known
  }

  #list(title: string, lines: readonly string[]): void {
    if (lines.length > 0) this.#print(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}

function pathOf(file: string | undefined): string {
  if (file === undefined) return 'unknown file'
  return isAbsolute(file) ? relative(ROOT, file) : file
}

function errorText(error: unknown): string {
  return inspect(causeOf(error), { depth: 6 })
}

/** The beginning of an error's message in one line, because logs of continuous integration are cut. */
function summaryOf(error: unknown): string {
  const cause = causeOf(error)
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  return text.replace(/\s+/g, ' ').trim().slice(0, SUMMARY_LENGTH_MAX)
}

/** The test's own error, without the runner's wrapper. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(7)
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
