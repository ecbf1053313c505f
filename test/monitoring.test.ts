import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT, sourceFiles } from './support/source-files.ts'

// Checks deploy/prometheus and deploy/grafana. A test of the metrics compares docs/monitoring.md with what a node serves.

const RULES = read('deploy/prometheus/rules.yaml')
const documented = new Set(all(read('docs/monitoring.md'), /^\| `(\w+)` \|/gm))
const alerts = all(RULES, /- alert: (\w+)$/gm)

/** The expressions of all panels and rules. */
const panels: readonly { title: string; description?: string; targets?: readonly { expr: string }[] }[] = JSON.parse(
  read('deploy/grafana/scheduling-slots.json'),
).panels
const ofPanels = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

test('panels and rules name existing metrics, and every metric is on a panel', () => {
  assert.ok(documented.size > 20)
  const named = (expression: string) => {
    const names = all(expression, /\b((?:slots|process|nodejs)_\w+)/g)
    return names.map((name) => name.replace(/_bucket$/, ''))
  }
  const unknown = [...ofPanels, RULES].flatMap(named).filter((name) => !documented.has(name) && !isRecorded(name))
  assert.deepEqual(unknown, [])
  const shown = new Set(ofPanels.flatMap(named))
  assert.deepEqual(
    [...documented].filter((name) => !shown.has(name)),
    [],
  )
})

test('every panel has a title, and one with queries a description', () => {
  for (const { title, description, targets } of panels) {
    assert.notEqual(title, '')
    if (targets !== undefined) assert.ok(description, title)
  }
})

test('every alert has a runbook, and every runbook an alert', () => {
  assert.ok(alerts.length >= 15)
  const links = all(RULES, /runbook_url: https:\/\/slots\.example\.org\/docs\/runbooks#(\w+)$/gm)
  assert.deepEqual(
    links,
    alerts.map((name) => name.toLowerCase()),
  )
  assert.deepEqual(all(read('docs/runbooks.md'), /^### (\w+)$/gm).toSorted(), alerts.toSorted())
})

test('the log lines that runbooks name are written', () => {
  const code = sourceFiles('src').map(({ text }) => text)
  const lines = all(read('docs/runbooks.md'), /`((?!slots|patronictl)[a-z]+(?:\s[a-z]+)+)`/g)
  assert.ok(lines.length >= 5)
  const written = (line: string) => code.some((text) => text.includes(`'${line.replace(/\s/g, ' ')}'`))
  assert.deepEqual(
    lines.filter((line) => !written(line)),
    [],
  )
})

test('promtool accepts the rules, and they alert as their tests say', async (t) => {
  const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync)
  if (promtool === undefined) return t.skip('promtool is not installed: Debian has it in the package prometheus')
  const run = (...args: string[]) => promisify(execFile)(promtool, args, { cwd: join(ROOT, 'deploy/prometheus') })
  await run('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml')
  await run('test', 'rules', 'rules.test.yaml')
})

function isRecorded(name: string): boolean {
  return new RegExp(`record: (?:\\w+:)?${name}(?::|$)`, 'm').test(RULES)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((found) => found[1])
}
