import type { ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Percentiles of the CPU time of the serving thread in a turn of its event loop. */
export interface Turns {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
}

export interface TurnProbe extends AsyncDisposable {
  /** Of the service that is probed. */
  readonly env: Readonly<Record<string, string>>
  /** The turns since the last call. */
  take(service: ChildProcess): Promise<Turns>
}

/** Loads `turn-probe.ts` into a service; one at a time. */
export function turnProbe(): TurnProbe {
  const file = join(tmpdir(), `slots-bench-turns-${process.pid}.json`)
  return {
    env: {
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${join(import.meta.dirname, 'turn-probe.ts')}`,
      TURN_PROBE: file,
    },
    async take({ pid = 0 }) {
      await rm(file, { force: true })
      process.kill(pid, 'SIGUSR2')
      for (;;) {
        const text = await readFile(file, 'utf8').catch(() => '')
        if (text.endsWith('}')) return JSON.parse(text)
        await pause(5)
      }
    },
    [Symbol.asyncDispose]: () => rm(file, { force: true }),
  }
}
