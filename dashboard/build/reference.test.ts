import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOf, referenceMarkdown, servedDocument } from './reference.ts'

const document = servedDocument()
const text = referenceMarkdown(document)

test('has a section for each operation, with its path and all parameters', () => {
  const sections = new Map(text.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), section]))
  for (const { method, path, operation } of operationsOf(document)) {
    const { summary, parameters = [], responses } = operation
    const section = sections.get(summary) ?? ''
    assert.ok(section.includes(`\`${method} ${path}\``), path)
    for (const { name } of parameters) assert.ok(section.includes(`\n| \`${name}\``), `${path}: ${name}`)
    for (const status of Object.keys(responses))
      assert.ok(section.includes(`\n| \`${status}\` | `), `${path}: ${status}`)
  }
})

test('has a section for each object and a row for each header', () => {
  for (const name of Object.keys(document.components.schemas)) assert.ok(text.includes(`\n### ${name}\n`), name)
  for (const name of Object.keys(document.components.headers)) assert.ok(text.includes(`\n| \`${name}\` | `), name)
  assert.doesNotMatch(text, /undefined|\[object/)
})
