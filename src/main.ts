import { ask } from './cli/ask.ts'
import { interruption } from './cli/interruption.ts'
import { runCommandLine } from './cli/program.ts'

// The reader of a pipe may stop early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`Cannot write the output: ${error.message}\n`)
  process.exit(1)
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  ask,
  columns: { out: process.stdout.columns, err: process.stderr.columns },
  interruption,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
