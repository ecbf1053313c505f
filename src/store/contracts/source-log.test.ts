import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SOURCE_ACTIONS } from '../../shared/source-vocabulary.ts'

test('docs/operating-sources.md has a row for each action, word for word', () => {
  const page = readFileSync(new URL('../../../docs/operating-sources.md', import.meta.url), 'utf8')
  const [table = ''] = page.slice(page.indexOf('| action | meaning |')).split('\n\n')
  const rows = [...table.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, kind, means]) => [kind, means])
  assert.deepEqual(rows, Object.entries(SOURCE_ACTIONS))
})
