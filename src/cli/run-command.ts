import { type Config, readConfig } from '../config/config.ts'
import { ConfigFault } from '../config/environment.ts'
import { redact } from '../workers/log.ts'
import { type Call, Failure, UsageFault } from './command.ts'
import { COMMANDS, type ListedCommand } from './commands.ts'
import { formatCommands, formatHelp, formatOverview } from './help.ts'
import { nearest } from './nearest.ts'
import { type Arguments, parseCall } from './parse-call.ts'
import { PROGRAM } from './program.ts'

/** What the command line gets from the process, and nothing else. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly clock: () => number
  out(text: string): void
  err(text: string): void
}

/** Runs what the arguments say. Never throws: resolves to the exit code, 0 if done, 1 if it failed, 2 if wrongly used. */
export async function runCommandLine(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    await run(argv, around)
    return 0
  } catch (fault) {
    // A person may have pasted a key where its id belongs.
    around.err(redact(messageOf(fault)))
    if (fault instanceof Failure) return fault.exitCode
    return fault instanceof UsageFault || fault instanceof ConfigFault ? 2 : 1
  }
}

async function run(argv: readonly string[], around: Surroundings): Promise<void> {
  const words = argv[0] === 'help' ? argv.slice(1) : argv
  const isOverview = ['--help', '-h', 'help'].includes(argv[0]) && argv.length === 1
  if (isOverview) return around.out(formatOverview())
  const listed = COMMANDS.find(({ name }) => startsWith(words, name.split(' ')))
  if (listed === undefined) return explainGroup(argv, around)
  const command = await listed.load()
  if (argv[0] === 'help') return around.out(formatHelp(listed, command))
  const given = parseCall(listed, command, words.slice(listed.name.split(' ').length))
  if (given.options.has('help')) return around.out(formatHelp(listed, command))
  await command.run(callOf(given, around))
}

/** `key` alone is not a command, but asking for help on it is. */
function explainGroup(argv: readonly string[], around: Surroundings): void {
  const [first, second] = argv
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && (second === '--help' || second === '-h')) {
    around.out(formatCommands(group))
    return
  }
  if (first === undefined) throw new UsageFault(formatOverview())
  if (first.startsWith('-')) {
    throw new UsageFault(`Cannot run: options must stand behind a command: got "${first}"\n${SEE_ALL}`)
  }
  throw new UsageFault(unknownCommand(argv, group.length > 0 ? group : COMMANDS))
}

const SEE_ALL = `All commands: ${PROGRAM} --help`

function unknownCommand(argv: readonly string[], candidates: readonly ListedCommand[]): string {
  const got = argv.slice(0, 2).filter((word) => !word.startsWith('-'))
  const names = candidates.map(({ name }) => name)
  const meant = nearest(got.join(' '), names) ?? nearest(got[0] ?? '', names)
  const hint = meant === undefined ? '' : `Did you mean: ${PROGRAM} ${meant}\n`
  return `Cannot run: command must be one of ${names.join(', ')}: got "${got.join(' ') || argv[0]}"
${hint}${SEE_ALL}`
}

function startsWith(words: readonly string[], name: readonly string[]): boolean {
  return name.every((word, at) => words[at] === word)
}

function callOf({ operands, options }: Arguments, around: Surroundings): Call {
  let config: Config | undefined
  return {
    get config() {
      config ??= readConfig(around.env)
      return config
    },
    operands,
    options,
    clock: around.clock,
    print: (json, text) => around.out(options.has('json') ? JSON.stringify(json) : text),
    tell: (text) => {
      if (!options.has('json')) around.err(text)
    },
  }
}

/** What went wrong is told in a sentence; a stack is for faults of ours, which carry none. */
function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  const isOurs =
    fault instanceof Failure || fault instanceof UsageFault || fault.message.startsWith('Cannot ')
  if (isOurs) return fault.message
  const isSystems = 'code' in fault && !(fault instanceof TypeError)
  return isSystems ? `Cannot go on: ${fault.message}` : (fault.stack ?? fault.message)
}
