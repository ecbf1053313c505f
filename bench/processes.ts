import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export const ROOT = new URL('..', import.meta.url)

/** A running child process. */
export interface Running {
  readonly child: ChildProcess
  /** The first line of its output. */
  readonly firstLine: string
  stop(): Promise<void>
}

/** Starts a script and waits for its first line. */
export async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    // A measurement needs no draining.
    env: { DRAIN_SECONDS: '0', ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`Cannot start: "${args.join(' ')}" ended with exit code ${child.exitCode}`)
  })
  exited.catch(() => undefined)
  const [firstLine] = await Promise.race([once(child.stdout, 'data'), exited])
  child.stdout.resume()
  return {
    child,
    firstLine: String(firstLine).trim(),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Runs a command of the service and returns its JSON output. */
export async function slotsCommand(env: Record<string, string>, ...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...args, '--json'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  return JSON.parse(stdout)
}

/** Milliseconds until `/readyz` answers 200. */
export async function untilReady(port: number): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return performance.now() - startedMs
    await pause(20)
  }
}

/** Resident memory of a process in bytes; NaN if unavailable. */
export async function residentBytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024
}

/** User and system time of all threads; NaN if unavailable. A tick is a hundredth of a second. */
export async function processorMs({ child }: Running): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12])) * 10
}
