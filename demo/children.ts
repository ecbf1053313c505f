import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** Starts a script with the current Node.js. Pipes its standard output and inherits its standard error. */
export function startScript(script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
}

/** The first line of a script's output; the rest is discarded. Rejects if it exits without one. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('Cannot read a line: stdout is not a pipe')
    createInterface({ input: child.stdout }).on('line', resolve)
    child.once('exit', (code) => reject(new Error(`Cannot read a line: the script exited with code ${code}`)))
  })
}

/** Runs a CLI command with `--json` and returns its output. Rejects with its error output if it fails. */
export async function runCommand(
  main: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--json'], { env })
  return JSON.parse(stdout)
}

/** Sends SIGTERM, and SIGKILL after `graceMs`. */
export async function stopScript(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(timer)
}
