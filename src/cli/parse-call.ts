import { parseArgs } from 'node:util'
import { type Command, UsageFault } from './command.ts'
import type { ListedCommand } from './commands.ts'
import { nearest } from './nearest.ts'
import { PROGRAM } from './program.ts'

/** What stood behind a command's name. */
export interface Arguments {
  readonly operands: readonly string[]
  readonly options: ReadonlyMap<string, string | true>
}

/** Reads what stands behind a command's name. Throws `UsageFault` with what would be right; asks for nothing if `--help` is there. */
export function parseCall({ name }: ListedCommand, command: Command, argv: readonly string[]): Arguments {
  const refuse = (problem: string): never => {
    throw new UsageFault(`Cannot run "${name}": ${problem}\nHow it is used: ${PROGRAM} ${name} --help`)
  }
  const { tokens } = parseArgs({ args: [...argv], options: forms(command), strict: false, tokens: true })
  const operands: string[] = []
  const options = new Map<string, string | true>()
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    if (options.has(token.name)) refuse(`${token.rawName} must be given once`)
    options.set(token.name, optionValue(command, token, refuse))
  }
  if (!options.has('help')) checkPresence(command, { operands, options }, refuse)
  return { operands, options }
}

/** The options of a command and those of all commands. */
export function allOptions(command: Command): Command['options'] {
  return {
    ...command.options,
    json: { means: 'print the result as JSON' },
    help: { means: 'explain this command (also -h)' },
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

type Refuse = (problem: string) => never

function forms(command: Command): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  return Object.fromEntries(
    Object.entries(allOptions(command)).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(name === 'help' && { short: 'h' }) },
    ]),
  )
}

function optionValue(command: Command, token: OptionToken, refuse: Refuse): string | true {
  const known = allOptions(command)
  const { rawName, value } = token
  if (!Object.hasOwn(known, token.name)) return refuse(unknownOption(Object.keys(known), rawName))
  const placeholder = known[token.name].value
  if (placeholder === undefined) {
    return value === undefined ? true : refuse(`${rawName} must stand alone: got "${rawName}=${value}"`)
  }
  // Rather than take the next option for a value that was forgotten.
  if (value === undefined || value === '' || (!token.inlineValue && value.startsWith('-'))) {
    return refuse(`${rawName} must be followed by ${placeholder}`)
  }
  return value
}

function unknownOption(names: readonly string[], got: string): string {
  const dashed = names.map((name) => `--${name}`)
  const meant = nearest(got, dashed)
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  return `option must be one of ${dashed.join(', ')}: got "${got}"${hint}`
}

function checkPresence(command: Command, given: Arguments, refuse: Refuse): void {
  const { operands } = command
  const missing = operands.find(({ optional }, at) => optional !== true && given.operands[at] === undefined)
  if (missing !== undefined) refuse(`<${missing.name}> must be given`)
  if (given.operands.length > operands.length) {
    const takes = operands.length === 0 ? 'nothing' : operands.map(({ name }) => `<${name}>`).join(' ')
    refuse(`it takes ${takes}: got "${given.operands.join(' ')}" (a text with spaces needs quotes)`)
  }
  for (const [name, { required, value }] of Object.entries(command.options)) {
    if (required === true && !given.options.has(name)) refuse(`--${name} ${value} must be given`)
  }
}
