import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/** The languages in which each request is shown, as their blocks are marked. */
export const LANGUAGES = ['sh', 'ts', 'python'] as const
export type Language = (typeof LANGUAGES)[number]

/** What stands side by side: the same request in several languages. */
export interface Example {
  /** Its file and the line of its first block. */
  readonly where: string
  readonly code: Readonly<Partial<Record<Language, string>>>
}

/** Everything in the guide and on the front page that asks `/v1` and ends. mirror.full.test.ts and webhook-guide.full.test.ts run the rest. */
export function documentedExamples(): Example[] {
  const guide = readdirSync(join(ROOT, 'docs/guide')).map((name) => `docs/guide/${name}`)
  const program = readFileSync(join(ROOT, 'demo/mirror.ts'), 'utf8')
  return [...guide, 'docs/errors.md', 'README.md', 'dashboard/site/call.md']
    .flatMap((file) => examplesOf(file, readFileSync(join(ROOT, file), 'utf8')))
    .filter(({ code }) => Object.values(code).some((text) => text.includes('/v1/') && text !== program))
    .filter(({ code }) => !/text\/event-stream|\/subscriptions/.test(code.sh ?? ''))
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm

function examplesOf(file: string, text: string): Example[] {
  const examples: { where: string; code: Partial<Record<Language, string>>; end: number }[] = []
  for (const block of text.matchAll(BLOCK)) {
    const [all, language, code] = block
    if (!isLanguage(language)) continue
    const last = examples.at(-1)
    const isNext = last !== undefined && text.slice(last.end, block.index).trim() === ''
    if (isNext && last.code[language] === undefined) {
      last.code[language] = code
      last.end = block.index + all.length
      continue
    }
    const line = text.slice(0, block.index).split('\n').length
    examples.push({ where: `${file}:${line}`, code: { [language]: code }, end: block.index + all.length })
  }
  return examples
}

function isLanguage(name: string): name is Language {
  return LANGUAGES.some((language) => language === name)
}
