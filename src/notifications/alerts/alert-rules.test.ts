import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { redactReason } from './alert-messages.ts'
import { ALERT_AFTER_MS } from './alert-rules.ts'

test('docs/alerts.md lists the delay of each health', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\d+) minutes \|$/gm)].map(([, health, minutes]) => [
    health,
    Number(minutes) * 60_000,
  ])
  assert.deepEqual(rows, Object.entries(ALERT_AFTER_MS))
})

test('redacts secrets in URLs and truncates reasons', () => {
  const cases: [string, string][] = [
    ['Cannot read https://a.example/x: gone.', 'Cannot read https://a.example/x: gone.'],
    ['Cannot read https://a.example/x?key=1&b=c: gone.', 'Cannot read https://a.example/x?…: gone.'],
    ['Got "https://a.example/?key=1".', 'Got "https://a.example/?…".'],
    ['See https://u:p@a.example/#t, too.', 'See https://a.example/?…, too.'],
    ['See https://u@a.example/.', 'See https://a.example/.'],
    ['Two\u001b[31m\r\nlines', 'Two [31m lines'],
    ['x'.repeat(500), `${'x'.repeat(399)}…`],
  ]
  for (const [why, wanted] of cases) assert.equal(redactReason(why), wanted)
})
