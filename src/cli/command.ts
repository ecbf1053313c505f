import type { Config } from '../config/config.ts'

/** One command: what it takes, how it is explained, what it does. Its name and its line in the list stand in `commands.ts`. */
export interface Command {
  /** What may stand behind the name, without dashes. */
  readonly operands: readonly Operand[]
  /** By name, without the dashes. `--json` and `--help` are every command's. */
  readonly options: Readonly<Record<string, CommandOption>>
  /** What somebody should know before the first use, in whole sentences. */
  readonly explanation: string
  /** What follows the program's name; each works as it stands. */
  readonly examples: readonly string[]
  /** Resolves when it is done; throws `Failure` or any other error if it could not be. */
  run(call: Call): Promise<void>
}

export interface Operand {
  readonly name: string
  readonly optional?: boolean
}

export interface CommandOption {
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string
  readonly means: string
  readonly required?: boolean
}

/** A command as it was called. */
export interface Call {
  /** Throws `UsageFault` if the environment cannot be used. */
  readonly config: Config
  readonly operands: readonly string[]
  readonly options: ReadonlyMap<string, string | true>
  readonly clock: () => number
  /** Prints the result on standard output: as JSON if `--json` was given, else as text for people. */
  print(json: unknown, text: string): void
  /** Prints a line beside the result, on standard error, for people only. */
  tell(text: string): void
}

/** A text option, or undefined if it was not given. */
export function textOption(call: Call, name: string): string | undefined {
  const value = call.options.get(name)
  return typeof value === 'string' ? value : undefined
}

/** It was called wrongly: exit code 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/** It was called rightly and could not be done: exit code 1, or another. The message is all that the person gets to see. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
