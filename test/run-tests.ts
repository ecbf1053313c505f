import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// npm test: every test; npm test -- <patterns>: those of some files.

const EVERY = '{src,test,demo,bench,{dashboard,client}/{build,src}}/**/*.test.ts'

/** Many tests wait half of the time, for a process, a database or a deadline: so there are more files at once than cores. */
const filesAtOnce = availableParallelism() + 1

/** What was compiled once need not be by the next of many hundred processes: the smallest command starts in half the processor time. */
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')

const patterns = process.argv.length > 2 ? process.argv.slice(2) : [EVERY]
const tests = spawn(process.execPath, ['--test', `--test-concurrency=${filesAtOnce}`, ...patterns], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: compiled, ...process.env },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
tests.on('exit', (code) => {
  process.exitCode = code ?? 1
})
