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

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let edits = Math.min(above[column] + 1, current[column - 1] + 1, above[column - 1] + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        edits = Math.min(edits, before[column - 2] + 1)
      current.push(edits)
    }
    before = above
    above = current
  }
  return above[to.length]
}
