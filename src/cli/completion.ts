import { argument, defineCommand, kebabCase, valuesOf } from './command.ts'
import { COMMANDS, GROUPS } from './commands.ts'
import { wordValue } from './values.ts'

/** `completion <shell>`. */
export const completion = defineCommand({
  description: `Completes commands and options of bin/slots, and of "slots" if it is on the PATH. Add the line of your shell to its startup file:
  bash, ~/.bashrc:  source <(bin/slots completion bash)
  zsh, ~/.zshrc:    source <(bin/slots completion zsh)`,
  examples: ['completion bash', 'completion zsh'],
  input: { shell: argument(wordValue(['bash', 'zsh'])) },
  async run(call, { shell }) {
    const script = (shell === 'bash' ? bashScript : zshScript)(await choicesOf())
    call.print({ shell, script }, script)
  },
})

/** The words that can follow those of a command line. */
interface Choices {
  /** Empty at the start. */
  readonly words: string
  /** Options can follow in any number; a group has one command. */
  readonly isRepeated: boolean
  readonly items: readonly { readonly text: string; readonly description: string }[]
}

async function choicesOf(): Promise<Choices[]> {
  const groups = Object.entries(GROUPS).map(([text, description]) => ({ text, description }))
  const single = COMMANDS.filter(({ name }) => !name.includes(' '))
  const start = [...groups, ...single.map(({ name, summary }) => ({ text: name, description: summary }))]
  const ofGroups = groups.map(({ text: words }) => ({
    words,
    isRepeated: false,
    items: COMMANDS.filter(({ name }) => name.startsWith(`${words} `)).map(({ name, summary }) => ({
      text: name.slice(words.length + 1),
      description: summary,
    })),
  }))
  const ofCommands = await Promise.all(
    COMMANDS.map(async ({ name, load }) => {
      const command = await load()
      const values = valuesOf(command).filter(({ kind }) => kind !== 'argument')
      const options = values.map((value) => ({ text: `--${kebabCase(value.name)}`, description: value.description }))
      const json = command.hasResult === false ? [] : [{ text: '--json', description: 'print the result as JSON' }]
      const help = { text: '--help', description: 'show help' }
      return { words: name, isRepeated: true, items: [...options, ...json, help] }
    }),
  )
  return [{ words: '', isRepeated: false, items: start }, ...ofGroups, ...ofCommands]
}

function bashScript(choices: readonly Choices[]): string {
  const cases = choices.map(
    (each) => `    ${patternOf(each)}) choices='${each.items.map(({ text }) => text).join(' ')}' ;;`,
  )
  return `_slots() {
  local choices=
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _slots slots`
}

function zshScript(choices: readonly Choices[]): string {
  const cases = choices.map((each) => {
    const items = each.items.map(({ text, description }) => quoted(`${text}:${description}`))
    return `    ${patternOf(each)}) choices=(${items.join(' ')}) ;;`
  })
  return `#compdef slots
_slots() {
  local -a choices
  case "\${(j: :)words[2,CURRENT-1]}" in
${cases.join('\n')}
  esac
  _describe slots choices || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _slots slots`
}

/** A pattern of both shells. */
function patternOf({ words, isRepeated }: Choices): string {
  return isRepeated ? `'${words}' | '${words} '*` : `'${words}'`
}

/** A word of the shell; quotation marks in it are left out. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['"]/g, '')}'`
}
