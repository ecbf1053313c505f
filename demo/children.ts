import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** Starts a script of ours under the Node that runs this one. Its standard output is piped, its errors are shown. */
export function startScript(script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
}

/** The first line that a script prints; the rest is read and dropped. Rejects if it ends without one. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('Cannot read a line: stdout must be a pipe: got "null"')
    createInterface({ input: child.stdout }).on('line', resolve)
    child.once('exit', (code) => reject(new Error(`Cannot read a line: the script ended with code ${code}`)))
  })
}

/** Runs a command of the command line with `--json` and returns what it printed. Rejects with what it said if it fails. */
export async function runCommand(
  main: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--json'], { env })
  return JSON.parse(stdout)
}

/** Asks a script to end, and makes it after `graceMs`. */
export async function stopScript(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(timer)
}
