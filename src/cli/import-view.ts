import type { ImportReport } from '../sync/import/import-report.ts'
import { PROGRAM } from './program.ts'
import { formatTable, plainText } from './table.ts'

/** Rejections that people are shown; programs get all that are kept. */
const SHOWN_MAX = 20

/** What a file came to, for people. */
export function formatImport(report: ImportReport): string {
  return [
    formatTable(
      ['SLUG', 'OUTCOME', 'FORMAT', 'READ', 'SLOTS', 'REJECTED', 'WITHHELD', 'DURATION'],
      [
        [
          report.slug,
          report.dryRun ? `dry run: ${report.outcome}` : report.outcome,
          report.format,
          report.read,
          report.slots,
          report.rejected,
          report.withheld,
          `${(report.durationMs / 1000).toFixed(1)} s`,
        ],
      ],
    ),
    consequence(report),
    ...report.notes.map(plainText),
    ...formatRejections(report),
    ...formatSamples(report),
  ].join('\n')
}

function consequence({ dryRun, slots, slotsBefore, changes, slug, outcome }: ImportReport): string {
  const had =
    slotsBefore === undefined ? `There is no source ${slug} yet` : `${slug} has ${slotsBefore} slots`
  if (outcome === 'failed') return 'Nothing was changed.'
  if (dryRun) return `${had}: with this file it would have exactly these ${slots}. Nothing was changed.`
  const { added = 0, changed = 0, removed = 0 } = changes ?? {}
  return `${slug} has ${slots} slots now: ${added} added, ${changed} changed, ${removed} removed.`
}

function formatRejections({ rejected, rejections, slug, dryRun, outcome }: ImportReport): string[] {
  if (rejections.length === 0) return []
  const shown = rejections.slice(0, SHOWN_MAX)
  const all =
    dryRun || outcome === 'failed' ? 'all of them: --json' : `all of them: ${PROGRAM} rejected ${slug}`
  return [
    '',
    `Rejected${shown.length < rejected ? ` (${shown.length} of ${rejected}; ${all})` : ''}:`,
    ...shown.map(({ line, reason }) => `  ${line}: ${plainText(reason)}`),
  ]
}

function formatSamples({ samples }: ImportReport): string[] {
  if (samples.length === 0) return []
  return ['', 'Callers see:', ...samples.map((slot) => plainText(JSON.stringify(slot)))]
}
