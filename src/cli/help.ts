import type { Command, CommandOption } from './command.ts'
import { COMMANDS, type ListedCommand } from './commands.ts'
import { allOptions } from './parse-call.ts'
import { PROGRAM } from './program.ts'

/** The help on the whole. */
export function formatOverview(): string {
  return `Scheduling Slots reads the open appointment slots that others publish and answers for them over one HTTP API.

Usage: ${PROGRAM} <command> [options]

${formatCommands(COMMANDS)}

  --help behind a command explains it, with examples; --json makes it print JSON.

First steps:
  ${PROGRAM} org create "Good Health"
  ${PROGRAM} key create --org "Good Health" --name "our app"
  ${PROGRAM} source add example 'https://publisher.example/$bulk-publish'
  ${PROGRAM} sync example
  ${PROGRAM} serve

Commands work on the store that DATABASE_URL names (sqlite:./data/slots.db), also while the service runs on it:
it follows within a second. All variables: docs/configuration.md

Exit codes: 0 done, 1 failed, 2 wrongly used.`
}

/** Commands with what they do, one a line. */
export function formatCommands(commands: readonly ListedCommand[]): string {
  return formatPairs(commands.map(({ name, usage, does }) => [`${name} ${usage}`.trim(), does]))
}

/** The help on one command. */
export function formatHelp({ name, usage, does }: ListedCommand, command: Command): string {
  const options = Object.entries(allOptions(command)).map(([option, form]) => optionPair(option, form))
  return `${PROGRAM} ${name} ${usage}`.trim().concat(`

${does.charAt(0).toUpperCase()}${does.slice(1)}.

${command.explanation}

Options:
${formatPairs(options)}

Examples:
${command.examples.map((example) => `  ${PROGRAM} ${example}`).join('\n')}`)
}

function optionPair(name: string, { value, means, required }: CommandOption): [string, string] {
  return [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    required === true ? `${means} (required)` : means,
  ]
}

/** Long entries put what they mean on a line of its own rather than push all others to the right. */
const FIRST_WIDTH_MAX = 28

function formatPairs(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([first, second]) =>
      first.length > FIRST_WIDTH_MAX
        ? `  ${first}\n  ${' '.repeat(FIRST_WIDTH_MAX)}  ${second}`
        : `  ${first.padEnd(FIRST_WIDTH_MAX)}  ${second}`,
    )
    .join('\n')
}
