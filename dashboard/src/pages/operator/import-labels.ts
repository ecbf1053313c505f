import type { ImportReport } from '../../../../src/shared/contract/imports.ts'
import { formatCount, formatNumberOf } from '../../components/format.ts'
import type { Statistic } from '../../components/Statistics.tsx'

/** The outcome as a title. */
export function importTitle({ outcome, dryRun, rejected }: ImportReport): string {
  if (outcome === 'failed') return "This file can't be read"
  if (!dryRun) return 'File imported'
  if (rejected === 0) return 'This file can be imported'
  const rows = formatNumberOf(rejected, 'row')
  return `This file can be imported. ${rows} will be skipped.`
}

/** The effect of an outcome on the source. */
export function importSentence(report: ImportReport): string {
  const { outcome, dryRun, slug, slots, slotsBefore, changes, error } = report
  if (outcome === 'failed') return `${withPeriod(error ?? 'The reason is unknown')} Nothing was changed.`
  if (!dryRun) {
    const { added = 0, changed = 0, removed = 0 } = changes ?? {}
    const counts = `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed`
    return `${slug} now has ${formatNumberOf(slots, 'slot')}: ${counts}. The change is live within a second.`
  }
  if (slotsBefore === undefined)
    return `Creates the source ${slug} with ${formatNumberOf(slots, 'slot')}. Nothing has changed yet.`
  return `${slug} has ${formatNumberOf(slotsBefore, 'slot')} now. After the import it will have ${formatNumberOf(slots, 'slot')}. Nothing has changed yet.`
}

function withPeriod(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

const FORMAT_NAMES = { csv: 'CSV', ndjson: 'NDJSON', json: 'JSON' } as const

/** The statistics of an import. */
export function importStatistics(report: ImportReport): readonly Statistic[] {
  const { format, read, slots, rejected, withheld, resources } = report
  return [
    {
      name: 'Format',
      value: format && FORMAT_NAMES[format],
      note: resources > 0 && formatNumberOf(resources, 'other resource'),
    },
    { name: 'Read', value: formatCount(read), note: format === 'csv' ? 'rows' : 'slots' },
    { name: 'Slots', value: formatCount(slots), note: 'valid' },
    { name: 'Rejected', value: formatCount(rejected), note: 'invalid' },
    { name: 'Withheld', value: formatCount(withheld), note: 'never published' },
  ]
}
