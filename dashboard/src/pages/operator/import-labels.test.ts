import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportReport } from '../../../../src/shared/contract/imports.ts'
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
  withoutState: 0,
  resources: 0,
  notes: [],
  rejections: [],
  samples: [],
  durationMs: 5,
}

test('describes what each outcome means for the source', () => {
  for (const [more, title, sentence] of [
    [{}, 'This file can be imported', 'Creates the source clinic with 1 slot. Nothing has changed yet.'],
    [
      { slotsBefore: 3, rejected: 1 },
      'This file can be imported. 1 row will be skipped.',
      'clinic has 3 slots now. After the import it will have 1 slot. Nothing has changed yet.',
    ],
    [
      { dryRun: false, changes: { added: 1, changed: 0, removed: 3 } },
      'File imported',
      'clinic now has 1 slot: 1 added, 0 changed, 3 removed. The change is live within a second.',
    ],
    [
      { outcome: 'failed', error: 'Cannot read x: it is empty.' },
      "This file can't be read",
      'Cannot read x: it is empty. Nothing was changed.',
    ],
    [
      { outcome: 'failed', error: 'Cannot read x: it has blank lines only' },
      "This file can't be read",
      'Cannot read x: it has blank lines only. Nothing was changed.',
    ],
  ] as const) {
    const report = { ...REPORT, ...more }
    assert.deepEqual([importTitle(report), importSentence(report)], [title, sentence])
  }
  assert.equal(importStatistics(REPORT).length, 5)
})

test('a report belongs to the form values until they change', () => {
  const values = emptyImport('clinic')
  assert.ok(sameImport(values, { ...values }))
  for (const more of [{ slug: 'b' }, { format: 'csv' }, { timeZone: 'UTC' }, { dateOrder: 'mdy' }]) {
    assert.ok(!sameImport(values, { ...values, ...more }))
  }
})

test('an import can be stopped during the upload, a check at any time', () => {
  assert.deepEqual(
    [0.5, 1].flatMap((sent) => [true, false].map((dryRun) => isStoppable({ dryRun, sent }))),
    [true, true, true, false],
  )
})

test('requires a slug, a file and a named time zone', () => {
  assert.equal(importValidation.slug('walk-in'), null)
  assert.notEqual(importValidation.slug('Walk in'), null)
  assert.notEqual(importValidation.file(null), null)
  for (const zone of ['', ' America/New_York ', 'UTC']) assert.equal(importValidation.timeZone(zone), null)
  for (const zone of ['EST', 'Mars/Base', '-05:00']) assert.notEqual(importValidation.timeZone(zone), null)
})
