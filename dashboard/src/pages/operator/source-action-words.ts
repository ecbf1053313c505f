import type { SourceActionView } from '../../../../src/shared/source-shapes.ts'
import type { SourceField } from '../../../../src/store/contracts/source-log.ts'
import { HOLD_NAMES } from './source-words.ts'

/** What an operator did, in words: which fields, never what they were. */
export function actionWords({ kind, fields, hold }: SourceActionView): string {
  if (fields !== undefined)
    return `${ACTION_NAMES[kind]}: ${fields.map((field) => FIELD_NAMES[field]).join(', ')}`
  if (hold !== undefined) return `${ACTION_NAMES[kind]}: ${HOLD_NAMES[hold].toLowerCase()}`
  return ACTION_NAMES[kind]
}

const ACTION_NAMES: Readonly<Record<SourceActionView['kind'], string>> = {
  added: 'Added',
  edited: 'Edited',
  paused: 'Paused',
  resumed: 'Resumed',
  'hold-chosen': 'Held back from then on',
  accepted: 'Said yes to what was suspicious',
  'accept-withdrawn': 'Took the yes back',
  imported: 'Imported a file',
  removed: 'Removed, with its slots',
}

const FIELD_NAMES: Readonly<Record<SourceField, string>> = {
  name: 'name',
  url: 'address',
  headers: 'headers',
  query: 'query parameters',
  daysAhead: 'days ahead',
  authorization: 'authorization',
  strict: 'strictness',
  everyMinutes: 'interval',
}
