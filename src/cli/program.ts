import { Command as Commander, CommanderError, Help, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { ConfigError, calledAs, readConfig } from '../config/config.ts'
import { redact } from '../lib/redact.ts'
import { errorText } from '../lib/text.ts'
import { type Call, type Command, CommandError, type CommandValue, kebabCase, UsageError, valuesOf } from './command.ts'
import { COMMANDS, GROUPS, type ListedCommand } from './commands.ts'
import { requireCommand } from './unknown-command.ts'

/** How the program is called, so that printed commands work as pasted. */
export const PROGRAM = calledAs() ?? 'npm run -s slots --'

/** The parts of the process that the command line uses. */
interface CliContext {
  readonly env: NodeJS.ProcessEnv
  /** Asks a question on the terminal; absent without one. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Widths of the terminals that `out` and `err` write to; absent where there is none. */
  readonly columns?: { readonly out?: number | undefined; readonly err?: number | undefined }
  /** Aborts when the process is asked to stop. */
  interruption(): AbortSignal
  out(text: string): void
  err(text: string): void
}

/** Runs a parsed command; replaced where only the parsing is of interest. */
type Execute = (command: Command, call: Call, input: unknown) => Promise<void>

/** Runs the command line. Never throws; resolves to the exit code: 0 success, 1 failure, 2 usage error. */
export async function runCommandLine(
  argv: readonly string[],
  context: CliContext,
  execute: Execute = (command, call, input) => command.run(call, input),
): Promise<number> {
  try {
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
    requireCommand(words)
    const program = await buildProgram(words, context, execute)
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // A person may have pasted a key where its ID belongs.
    context.err(redact(messageOf(error)))
    if (error instanceof CommandError) return error.exitCode
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

/** The tree of all commands. Only the module of the called one is loaded, so that the others cost no start-up time. */
async function buildProgram(words: readonly string[], context: CliContext, execute: Execute): Promise<Commander> {
  const program = prepare(new Commander(PROGRAM), context)
    .description('Scheduling Slots aggregates published appointment slots and serves them over one HTTP API.')
    .usage('<command> [options]')
    .version(packageJson.version, '-V, --version', 'show the version')
    .addHelpText('after', ({ error }) => overview(error ? context.columns?.err : context.columns?.out))
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm: pathOf, showGlobalOptions: false })
  for (const [name, summary] of Object.entries(GROUPS))
    prepare(program.command(name), context).summary(summary).description(summary)
  for (const listed of COMMANDS) {
    const names = listed.name.split(' ')
    const parent = names.length === 1 ? program : program.commands.find((group) => group.name() === names[0])
    const leaf = prepare((parent ?? program).command(names.at(-1) ?? ''), context).summary(listed.summary)
    if (names.every((name, at) => words[at] === name))
      configure(leaf, listed, await listed.load(), { context, execute })
  }
  return program
}

function prepare(command: Commander, context: CliContext): Commander {
  return command
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show help')
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => context.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.err(redact(text.replace(/\n$/, ''))),
      getOutHelpWidth: () => helpWidth(context.columns?.out),
      getErrHelpWidth: () => helpWidth(context.columns?.err),
    })
    .configureHelp({ subcommandTerm: (each) => each.name() })
    .showHelpAfterError(`Help: ${PROGRAM} ${command.name() === PROGRAM ? '' : `${pathOf(command)} `}--help`)
}

/** Longer lines are hard to read. A terminal of unknown size has no columns. */
const HELP_WIDTH_MAX = 120

function helpWidth(columns = 0): number {
  return columns > 0 ? Math.min(columns, HELP_WIDTH_MAX) : HELP_WIDTH_MAX
}

/** Declares the arguments and options of a command by its input schema. */
function configure(
  leaf: Commander,
  { summary }: ListedCommand,
  command: Command,
  { context, execute }: { context: CliContext; execute: Execute },
): void {
  const names: string[] = []
  leaf.description(`${summary}\n\n${joinLines(command.description)}`)
  for (const value of valuesOf(command)) {
    const { kind, name, placeholder, description, required } = value
    if (kind === 'argument') {
      names.push(name)
      leaf.argument(required ? `<${placeholder}>` : `[${placeholder}]`, description)
    } else if (kind === 'flag') leaf.addOption(new Option(`--${kebabCase(name)}`, description))
    else leaf.addOption(valueOption(leaf, value))
  }
  if (command.hasResult !== false) leaf.addOption(new Option('--json', 'print the result as JSON'))
  const examples = command.examples.map((example) => `  ${PROGRAM} ${example}`).join('\n')
  leaf.addHelpText('after', `\nExamples:\n${examples}`)
  leaf.action(async () => {
    const given = leaf.opts()
    const positional = Object.fromEntries(
      names.flatMap((name, at) => (at < leaf.args.length ? [[name, leaf.args[at]]] : [])),
    )
    await execute(command, callOf(context, given.json === true), { ...given, ...positional })
  })
}

/** Joins the lines of the source text, which the help wraps at its own width; indented lines and paragraphs stay. */
function joinLines(text: string): string {
  return text.replace(/(?<!\n)\n(?![\n ])/g, ' ')
}

/** Refuses an empty or repeated value, and a following option that would be taken for the value. */
function valueOption(leaf: Commander, { name, placeholder, description, required }: CommandValue): Option {
  const flags = `--${kebabCase(name)} ${placeholder}`
  return new Option(flags, required ? `${description} (required)` : description)
    .makeOptionMandatory(required)
    .argParser((value: string, previous: unknown) => {
      const isOption = leaf.options.some(({ long, short }) => value === long || value === short)
      if (value === '' || isOption) leaf.error(`error: option '${flags}' needs a value`)
      if (previous !== undefined) leaf.error(`error: option '${flags}' must be given once`)
      return value
    })
}

function overview(columns?: number): string {
  return `
First steps:
  ${PROGRAM} org create "Good Health"
  ${PROGRAM} key create --org "Good Health" --name "our app"
  ${PROGRAM} source add example 'https://publisher.example/$bulk-publish'
  ${PROGRAM} sync example
  ${PROGRAM} serve

${new Help().boxWrap(NOTES, helpWidth(columns))}`
}

const NOTES = [
  'Commands use the store in DATABASE_URL (default: sqlite:./data/slots.db), also while the service runs on it.',
  'The service picks up changes within a second. All variables: docs/configuration.md\n\nExit codes: 0 success, 1 failure, 2 usage error.',
].join(' ')

/** Groups are replaced by their commands. */
function leavesOf(command: Commander): Commander[] {
  return command.commands.flatMap((each) => (each.commands.length > 0 ? [...each.commands] : [each]))
}

function pathOf(command: Commander): string {
  const { parent } = command
  return parent === null || parent.name() === PROGRAM ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function callOf(context: CliContext, isJson: boolean): Call {
  let config: Call['config'] | undefined
  return {
    get config() {
      config ??= readConfig(context.env)
      return config
    },
    isSet: (variable) => Boolean(context.env[variable]),
    interruption: context.interruption,
    print: (json, text) => context.out(isJson ? JSON.stringify(json) : text),
    note: (text) => {
      if (!isJson) context.err(text)
    },
    confirm: (question, options) => confirm(context, question, options),
  }
}

async function confirm(
  { ask, err }: CliContext,
  question: string,
  { yes, mayWarn }: { yes: boolean; mayWarn?: true },
): Promise<void> {
  if (yes) return
  if (ask !== undefined) {
    if (/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) return
    throw new CommandError('Canceled: nothing was changed.')
  }
  if (!mayWarn) throw new UsageError('Without a terminal, this command needs --yes.')
  err('Warning: without a terminal, the next version of this command will need --yes.')
}

/** Expected errors are one sentence; only broken invariants print a stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected = error instanceof CommandError || error instanceof UsageError || error.message.startsWith('Cannot ')
  if (isExpected) return error.message
  if (error.name === 'AbortError') return 'Cannot continue: the command was interrupted'
  const isSystemError = 'code' in error && !(error instanceof TypeError)
  return isSystemError ? `Cannot continue: ${error.message}` : errorText(error)
}
