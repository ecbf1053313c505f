import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportReport } from '../../../../src/sync/import/import-report.ts'
import { emptyImport, importValidation, isStoppable, sameImport } from './import-form.ts'
import { importSentence, importStatistics, importTitle } from './import-labels.ts'

const REPORT: ImportReport = {
  slug: 'clinic',
  dryRun: true,
  outcome: 'ok',
  format: 'csv',
  read: 2,
  slots: 1,
  rejected: 0,
  withheld: 1,
  resources: 0,
  notes: [],
  rejections: [],
  samples: [],
  durationMs: 5,
}

test('says of each outcome what it means for the source', () => {
  for (const [more, title, sentence] of [
    [
      {},
      'The file can be imported',
      'It makes a new source, clinic, with one slot. Nothing was changed yet.',
    ],
    [
      { slotsBefore: 3, rejected: 1 },
      'The file can be imported, but for what is rejected',
      'clinic has 3 slots now, and would have exactly the 1 of the file. Nothing was changed yet.',
    ],
    [
      { dryRun: false, changes: { added: 1, changed: 0, removed: 3 } },
      'The file is imported',
      'clinic has one slot now: 1 added, 0 changed, 3 removed. Callers get them within a second.',
    ],
    [
      { outcome: 'failed', error: 'Cannot read x: it is empty.' },
      'The file cannot be read',
      'Cannot read x: it is empty. Nothing was changed.',
    ],
    [
      { outcome: 'failed', error: 'Cannot read x: it must hold something: got "blank lines only"' },
      'The file cannot be read',
      'Cannot read x: it must hold something: got "blank lines only". Nothing was changed.',
    ],
  ] as const) {
    const report = { ...REPORT, ...more }
    assert.deepEqual([importTitle(report), importSentence(report)], [title, sentence])
  }
  assert.equal(importStatistics(REPORT).length, 5)
})

test('an answer belongs to what is filled in only until something of it is changed', () => {
  const values = emptyImport('clinic')
  assert.ok(sameImport(values, { ...values }))
  for (const more of [{ slug: 'b' }, { format: 'csv' }, { timeZone: 'UTC' }, { dateOrder: 'mdy' }]) {
    assert.ok(!sameImport(values, { ...values, ...more }))
  }
})

test('an import can be stopped while it is sent, and a check until it is answered', () => {
  assert.deepEqual(
    [0.5, 1].flatMap((sent) => [true, false].map((dryRun) => isStoppable({ dryRun, sent }))),
    [true, true, true, false],
  )
})

test('a slug and a file are needed, and a time zone has a name', () => {
  assert.equal(importValidation.slug('walk-in'), null)
  assert.notEqual(importValidation.slug('Walk in'), null)
  assert.notEqual(importValidation.file(null), null)
  for (const zone of ['', ' America/New_York ', 'UTC']) assert.equal(importValidation.timeZone(zone), null)
  for (const zone of ['EST', 'Mars/Base', '-05:00']) assert.notEqual(importValidation.timeZone(zone), null)
})
