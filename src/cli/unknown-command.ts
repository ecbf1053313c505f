import { editDistance } from '../lib/edit-distance.ts'
import { UsageError } from './command.ts'
import { COMMANDS, GROUPS } from './commands.ts'

/** Throws `UsageError` with the commands that may be meant, one per line, unless the words begin with a command or a group. */
export function requireCommand(words: readonly string[]): void {
  const [first, second] = words
  if (first === undefined || first.startsWith('-') || COMMANDS.some(({ name }) => name === first)) return
  const inGroup = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (inGroup.length > 0) {
    if (second === undefined || second.startsWith('-') || inGroup.some(({ name }) => name === `${first} ${second}`))
      return
    throw new UsageError(messageOf(`${first} ${second}`, guess(`${first} ${second}`) ?? inGroup))
  }
  const guessed = guess([first, second].filter((word) => word !== undefined && !word.startsWith('-')).join(' '))
  throw new UsageError(messageOf(first, guessed ?? guess(first) ?? COMMANDS))
}

type Listed = (typeof COMMANDS)[number]

function messageOf(unknown: string, listed: readonly Listed[]): string {
  const width = Math.max(...listed.map(({ name }) => name.length))
  const lines = listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const heading = listed.length === COMMANDS.length ? 'Commands:' : 'Did you mean:'
  return [`error: unknown command '${unknown}'`, heading, ...lines].join('\n')
}

/** The commands of the closest name or group, by at most two edits. */
function guess(words: string): Listed[] | undefined {
  const names = [...COMMANDS.map(({ name }) => name), ...Object.keys(GROUPS)]
  const [closest] = names
    .map((name) => ({ name, edits: editDistance(words, name) }))
    .filter(({ name, edits }) => edits <= Math.min(2, name.length - 2))
    .sort((a, b) => a.edits - b.edits)
  if (closest === undefined) return undefined
  return COMMANDS.filter(({ name }) => name === closest.name || name.startsWith(`${closest.name} `))
}
