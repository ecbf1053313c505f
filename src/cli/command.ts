import { z } from 'zod'
import type { Config } from '../config/config.ts'

/** A command; created by `defineCommand()`. */
export interface Command {
  /** Prerequisites and effects, for the first use. */
  readonly description: string
  /** Everything after the program's name. */
  readonly examples: readonly string[]
  /** False: it prints no result, so it has no `--json`. */
  readonly hasResult?: false
  /** Arguments and options by name; see `argument()`, `option()` and `flag()`. */
  readonly input: z.ZodObject
  /** Parses the input and runs the command. Throws `UsageError` for invalid input. */
  run(call: Call, input: unknown): Promise<void>
}

/** The environment of one command. */
export interface Call {
  /** Throws `ConfigError` if the environment is invalid. */
  readonly config: Config
  /** Whether an environment variable has a value. */
  isSet(variable: string): boolean
  /** See `interruption()`. */
  interruption(): AbortSignal
  /** Prints the result on standard output: JSON with `--json`, else text. */
  print(json: unknown, text: string): void
  /** Prints a line on standard error, unless `--json` is given. */
  note(text: string): void
  /**
   * Asks on a terminal before something is deleted, unless `yes` is set. Throws `CommandError` if the answer is not yes. Without a terminal
   * it throws `UsageError`; a command that did not ask in earlier versions only warns.
   */
  confirm(question: string, options: { yes: boolean; mayWarn?: true }): Promise<void>
}

/** Defines a command; `run()` receives the parsed input. */
export function defineCommand<Shape extends z.ZodRawShape>(command: {
  readonly description: string
  readonly examples: readonly string[]
  readonly hasResult?: false
  readonly input: Shape
  run(call: Call, input: z.output<z.ZodObject<Shape>>): Promise<void>
}): Command {
  const input = z.object(command.input)
  return { ...command, input, run: async (call, given) => command.run(call, parseInput(input, given)) }
}

/** How the command line shows a value of the input. */
interface ValueMeta {
  /** `argument`: positional. */
  readonly kind?: 'argument' | 'option' | 'flag'
  readonly placeholder?: string
  readonly description?: string
}

/** A positional argument. */
export function argument<Schema extends z.ZodType>(schema: Schema, placeholder?: string): Schema {
  return schema.meta({ kind: 'argument', ...(placeholder !== undefined && { placeholder }) })
}

/** An option with a value: `--name <placeholder>`. */
export function option<Schema extends z.ZodType>(schema: Schema, placeholder: string, description: string): Schema {
  return schema.meta({ kind: 'option', placeholder, description })
}

/** A switch: `--name`. */
export function flag(description: string): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).meta({ kind: 'flag', description })
}

/** The option of commands that ask before they delete. */
export const YES = flag('do not ask for confirmation')

/** One value of a command's input. */
export interface CommandValue extends Required<ValueMeta> {
  readonly name: string
  readonly required: boolean
}

/** The values of a command's input: name, presentation, and whether it is required. */
export function valuesOf(command: Command): CommandValue[] {
  return Object.entries(command.input.shape).map(([name, schema]) => ({
    kind: 'option',
    placeholder: name,
    description: '',
    ...metaOf(schema as z.ZodType),
    name,
    required: !z.safeParse(schema, undefined).success,
  }))
}

function parseInput<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, given: unknown) {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  const [name] = issue?.path ?? []
  const meta = name === undefined ? {} : metaOf(schema.shape[String(name)] as unknown as z.ZodType)
  const shown = meta.kind === 'argument' ? `<${meta.placeholder ?? String(name)}>` : `--${kebabCase(String(name))}`
  throw new UsageError(name === undefined ? `${issue?.message}` : `Invalid ${shown}: ${issue?.message}`)
}

function metaOf(schema: z.ZodType): ValueMeta {
  return (schema.meta() ?? {}) as ValueMeta
}

/** `dryRun` as `dry-run`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The command was used incorrectly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed: exit code 1 unless specified. The message is all that is printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
