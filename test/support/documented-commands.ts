import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS_ELSEWHERE, type Elsewhere } from './commands-elsewhere.ts'
import { listFiles, ROOT } from './source-files.ts'

/** Commands of a page that belong together and run in order: a block, or one in a sentence. */
export interface DocumentedCommands {
  /** Its file and first line. */
  readonly where: string
  /** Complete commands: continued lines are joined. */
  readonly commands: readonly string[]
}

const PROGRAMS =
  'bash|claude|cosign|cp|curl|docker|git|helm|kubectl|ln|node|npm|npx|patronictl|pg_dump|pg_restore|psql|slots|source|systemctl'
const SHELL_BLOCK = /^( *)```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm
const INDENTED_BLOCK = /(?<=\n\n)(?: {4}.*\n)+/g
const INLINE = new RegExp(`\`((?!source )(?:${PROGRAMS}) (?!\\+)[^\`]+)\``, 'g')
/** A program, after assignments of variables. */
const COMMAND = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS})\\b|^(?:export )?[A-Z_]+=`)

/** All commands of the README, of the pages beside it and in docs/. Decisions are history and left out. */
export function documentedCommands(): DocumentedCommands[] {
  const pages = listFiles('.', '.md').filter((path) => /^(docs\/(?!decisions\/)|[A-Z_]+\.md$)/.test(path))
  return pages
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => commandsOf(path, readFileSync(join(ROOT, path), 'utf8')))
}

/** Where a command is accounted for if documented-commands.full.test.ts does not run it. */
export function elsewhereOf(command: string): Elsewhere | undefined {
  return COMMANDS_ELSEWHERE.find(([pattern]) => pattern.exec(command)?.[0] === command)?.[1]
}

/** True for a command of the service's command line, and for those that set it up. */
export function isSlotsCommand(command: string): boolean {
  return /^(npm run -s slots -- |slots |ln -s "\$PWD\/bin\/slots"|source <\(slots |git log -p )/.test(command)
}

function commandsOf(path: string, page: string): DocumentedCommands[] {
  const found: { at: number; commands: string[] }[] = []
  // A replaced block keeps its lines, so that later ones keep their numbers.
  const take = (text: string, pattern: RegExp, commands: (...groups: string[]) => string[]) =>
    text.replace(pattern, (all, ...rest) => {
      const at = rest.find((each) => typeof each === 'number')
      found.push({ at: page.slice(0, at).split('\n').length, commands: commands(all, ...rest) })
      return all.replaceAll(/[^\n]/g, ' ')
    })
  const withoutShell = take(page, SHELL_BLOCK, (_, _indent, block) => lines(block))
  const prose = withoutShell.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, (all) => all.replaceAll(/[^\n]/g, ' '))
  const withoutBlocks = take(prose, INDENTED_BLOCK, (block) => lines(block).filter((line) => COMMAND.test(line)))
  take(withoutBlocks, INLINE, (_, command) => [command.replaceAll(/\s+/g, ' ')])
  return found
    .filter(({ commands }) => commands.length > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ at, commands }) => ({ where: `${path}:${at}`, commands }))
}

function lines(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)# .*$|\s{2,}#.*$/, '').trim())
    .filter((line) => line !== '')
}
