import type { ImportReport } from '../../../../src/sync/import/import-report.ts'
import { formatCount } from '../../components/format.ts'
import type { Statistic } from '../../components/Statistics.tsx'

/** What a file came to, in a few words. */
export function importTitle({ outcome, dryRun, rejected }: ImportReport): string {
  if (outcome === 'failed') return 'The file cannot be read'
  if (!dryRun) return 'The file is imported'
  return rejected > 0 ? 'The file can be imported, but for what is rejected' : 'The file can be imported'
}

/** What that means for the source. */
export function importSentence(report: ImportReport): string {
  const { outcome, dryRun, slug, slots, slotsBefore, changes, error } = report
  if (outcome === 'failed') return `${ended(error ?? 'It could not be told why')} Nothing was changed.`
  if (!dryRun) {
    const { added = 0, changed = 0, removed = 0 } = changes ?? {}
    const counts = `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed`
    return `${slug} has ${slotsText(slots)} now: ${counts}. Callers get them within a second.`
  }
  if (slotsBefore === undefined)
    return `It makes a new source, ${slug}, with ${slotsText(slots)}. Nothing was changed yet.`
  return `${slug} has ${slotsText(slotsBefore)} now, and would have exactly the ${formatCount(slots)} of the file. Nothing was changed yet.`
}

function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

function slotsText(count: number): string {
  return count === 1 ? 'one slot' : `${formatCount(count)} slots`
}

const FORMAT_NAMES = { csv: 'Table (CSV)', ndjson: 'NDJSON', json: 'JSON' } as const

/** How it came to that, in figures. */
export function importStatistics(report: ImportReport): readonly Statistic[] {
  const { format, read, slots, rejected, withheld, resources } = report
  return [
    {
      name: 'Format',
      value: format && FORMAT_NAMES[format],
      note: resources > 0 && `${formatCount(resources)} other resources`,
    },
    { name: 'Read', value: formatCount(read), note: format === 'csv' ? 'rows' : 'slots' },
    { name: 'Slots', value: formatCount(slots), note: 'can be served' },
    { name: 'Rejected', value: formatCount(rejected), note: 'cannot be read' },
    { name: 'Withheld', value: formatCount(withheld), note: 'are never served' },
  ]
}
