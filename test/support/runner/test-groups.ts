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

/** Tests of modules; what is in `test/` starts processes or reads the repository. */
const GROUPED = /^(?:src|dashboard|client)\//

/**
 * A file that mentions one of these runs alone: hooks would apply to every file of the group, a clock or timeout of the file would start
 * with the group, and the state of the process or of `sample-server.ts` would be shared.
 */
const ALONE =
  /^(?:before|after|beforeEach|afterEach|suite)\(|\b(?:conformance|bulkStores)\(|^(?:const|let)\b.*\b(?:Date\.now|AbortSignal\.timeout)|\bprocess\.|\bglobalThis\b|\bmock\b|\bWorker\b|-thread|PostgresServer|node:child_process|sample-server/m

/** Puts test files that may share a process into groups, in order of their paths. Writes the entry files of the groups to `folder`. */
export function groupTests(paths: readonly string[], folder: string): TestEntry[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isGrouped = (path: string) => GROUPED.test(path) && !ALONE.test(readFileSync(join(ROOT, path), 'utf8'))
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
