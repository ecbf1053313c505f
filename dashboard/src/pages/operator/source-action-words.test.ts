import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  SOURCE_ACTIONS,
  SOURCE_FIELDS,
  type SourceActionKind,
} from '../../../../src/store/contracts/source-log.ts'
import { actionWords } from './source-action-words.ts'

const of = { id: 1, atMs: 0, slug: 'harbour', actor: 'op@example.org' }

test('each action, and each field of an edit, has words of its own', () => {
  const kinds = Object.keys(SOURCE_ACTIONS) as SourceActionKind[]
  const said = kinds.map((kind) => actionWords({ ...of, kind }))
  assert.equal(new Set(said).size, kinds.length)
  const edited = actionWords({ ...of, kind: 'edited', fields: SOURCE_FIELDS })
  assert.equal(
    edited,
    'Edited: name, address, headers, query parameters, days ahead, authorization, strictness, interval',
  )
  assert.equal(
    actionWords({ ...of, kind: 'hold-chosen', hold: 'suspicious' }),
    'Held back from then on: whatever is suspicious',
  )
})
