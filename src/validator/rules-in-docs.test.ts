import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { GENERATIONS } from '../shared/check-report-labels.ts'
import { TOPICS } from './catalogue.ts'

const PAGE = readFileSync(new URL('../../docs/checking-a-feed.md', import.meta.url), 'utf8')

for (const { heading, rules } of TOPICS) {
  test(`the page on checking a feed has a row for each rule of "${heading}"`, () => {
    const rows = rules.map(({ id, severity, generations, right, source }) =>
      [`\`${id}\``, severity, generations?.join(', ') ?? 'all', right, source].map((cell) =>
        cell.replaceAll('|', '\\|'),
      ),
    )
    const section = PAGE.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
    const written = section.split('\n').filter((line) => line.startsWith('| `'))
    assert.deepEqual(
      written,
      rows.map((row) => `| ${row.join(' | ')} |`),
    )
  })
}

test('the page has no other sections, and lists every generation', () => {
  const headings = [...PAGE.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  assert.deepEqual(
    headings,
    TOPICS.map(({ heading }) => heading),
  )
  for (const generation of GENERATIONS) assert.match(PAGE, new RegExp(`^\\| \`${generation}\` \\|`, 'm'))
})
