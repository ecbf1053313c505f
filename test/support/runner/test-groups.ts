import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../source-files.ts'

/** One process of a test run: a test file, or a group of them. */
export interface TestEntry {
  readonly path: string
  /** The test files that it runs. */
  readonly files: readonly string[]
}

/** A process loads the modules of its files once. More files would delay the report of the first. */
const FILES_PER_GROUP = 20

/**
 * A file that mentions one of these runs alone: its hooks would apply to every test of the group, a clock or timeout of the file would
 * start with the group, the state of the process would be shared, and services take long enough to run beside others.
 */
const ALONE =
  /^(?:beforeEach|afterEach|suite)\(|\b(?:conformance|bulkStores)\(|^(?:const|let)\b(?!.*=>).*\b(?:Date\.now|AbortSignal\.timeout)|\bprocess\.|\bglobalThis\b|\bmock\b|\bWorker\b|-thread|PostgresServer|node:child_process|(?:running|sample)-service|dashboard-harness|fuzz-worker/m

/** Puts test files that may share a process into groups, in order of their paths. Writes the entry files of the groups to `folder`. */
export function groupTests(paths: readonly string[], folder: string): TestEntry[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Browser tests are repeated one by one.
  const isGrouped = (path: string) =>
    !path.startsWith('test/browser/') && !ALONE.test(readFileSync(join(ROOT, path), 'utf8'))
  const grouped = paths.filter(isGrouped).sort()
  const groups = Array.from({ length: Math.ceil(grouped.length / FILES_PER_GROUP) }, (_, n) => {
    const files = grouped.slice(n * FILES_PER_GROUP, (n + 1) * FILES_PER_GROUP)
    if (files.length === 1) return { path: files[0], files }
    // Not TypeScript, which Node.js does not read from node_modules.
    const path = join(folder, `group-${n + 1}.mjs`)
    writeFileSync(path, files.map((file) => `import ${JSON.stringify(join(ROOT, file))}\n`).join(''))
    return { path: relative(ROOT, path), files }
  })
  return [...groups, ...paths.filter((path) => !grouped.includes(path)).map((path) => ({ path, files: [path] }))]
}
