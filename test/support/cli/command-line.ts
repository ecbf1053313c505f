import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createEmptyDatabase } from '../store/empty-database.ts'
import { tempFolder } from '../temp-folder.ts'
import { type Ended, needsProcess, runInProcess } from './run-in-process.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')

/** A running command. */
export interface Running {
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
}

/** The command line on an empty store, which is removed after the test. */
export class CommandLine {
  readonly databaseUrl: string
  readonly #env: NodeJS.ProcessEnv

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.databaseUrl = `sqlite:${join(folder, 'slots.db')}`
    this.#env = {
      PATH: process.env.PATH,
      // Of Node: where `npm test` has it keep what it compiled.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: this.databaseUrl,
      DRAIN_SECONDS: '0',
      ...env,
    }
  }

  run(...args: string[]): Promise<Ended> {
    return needsProcess(args) ? this.start(args).ended : runInProcess(args, this.#env)
  }

  /** Runs a command on a terminal where somebody answers every question so. Returns the questions, too. */
  async onTerminal(answer: string, ...args: string[]): Promise<Ended & { questions: string[] }> {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answer
    }
    return { ...(await runInProcess(args, this.#env, ask)), questions }
  }

  /** Runs a command that has been interrupted by SIGINT. */
  interrupted(...args: string[]): Promise<Ended> {
    const interruption = () => AbortSignal.abort(new DOMException('SIGINT', 'AbortError'))
    return runInProcess(args, this.#env, undefined, interruption)
  }

  /** Runs a command that must succeed, with `--json`, and returns what it printed. */
  async json(...args: string[]) {
    const { code, out, err } = await this.run(...args, '--json')
    if (code !== 0) throw new Error(`Cannot run ${args.join(' ')}: ${err}`)
    return JSON.parse(out)
  }

  /** `onErr` receives all output on standard error so far. */
  start(args: readonly string[], onErr: (err: string) => void = () => {}): Running {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text
      onErr(err)
    })
    const ended = once(child, 'close').then(([code]) => ({ code, out, err }))
    return { ended, kill: (signal) => void child.kill(signal) }
  }
}

/** A command line on an empty store, optionally with additional environment variables. */
export async function commandLine(t: TestContext, env: NodeJS.ProcessEnv = {}): Promise<CommandLine> {
  const folder = tempFolder(t)
  const commands = new CommandLine(folder, env)
  await createEmptyDatabase(commands.databaseUrl)
  return commands
}
