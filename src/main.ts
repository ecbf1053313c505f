import { runCommandLine } from './cli/run-command.ts'

// Whoever reads our output may stop early (`| head`): then there is nobody left to tell.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault
  process.exit()
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  clock: Date.now,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
