import { runCommandLine } from '../../../src/cli/program.ts'

/** How a command ended and what it printed. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Commands that start threads, use standard input or serve until a signal. */
const NEED_A_PROCESS: ReadonlySet<string | undefined> = new Set(['serve', 'mcp', 'move'])

/** True if a command must run in a separate process. */
export function needsProcess(args: readonly string[]): boolean {
  return NEED_A_PROCESS.has(args[0])
}

/** Runs a command of the command line in this process, which takes a tenth of the time that a new process takes. `ask`: the terminal. */
export async function runInProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ask?: (question: string) => Promise<string>,
  interruption = () => new AbortController().signal,
): Promise<Ended> {
  let out = ''
  let err = ''
  const code = await runCommandLine(args, {
    env,
    ask,
    interruption,
    out: (text) => {
      out += `${text}\n`
    },
    err: (text) => {
      err += `${text}\n`
    },
  })
  return { code, out, err }
}
