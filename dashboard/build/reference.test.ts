import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceMarkdown, servedDocument } from './reference.ts'

const document = servedDocument()
const text = referenceMarkdown(document)

test('has a section for each operation, with its path and all parameters', () => {
  const sections = new Map(text.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), section]))
  for (const [path, { get }] of Object.entries(document.paths)) {
    const section = sections.get(get.summary) ?? ''
    assert.ok(section.includes(`\`GET ${path}\``), path)
    for (const { name } of get.parameters) assert.ok(section.includes(`\n| \`${name}\``), `${path}: ${name}`)
    for (const status of Object.keys(get.responses))
      assert.ok(section.includes(`\n| \`${status}\` | `), `${path}: ${status}`)
  }
})

test('has a section for each object and a row for each header', () => {
  for (const name of Object.keys(document.components.schemas)) assert.ok(text.includes(`\n### ${name}\n`), name)
  for (const name of Object.keys(document.components.headers)) assert.ok(text.includes(`\n| \`${name}\` | `), name)
  assert.doesNotMatch(text, /undefined|\[object/)
})
