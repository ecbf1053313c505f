import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { z } from 'zod'
import { csvTemplate } from '../feeds/files/csv-columns.ts'
import { FILE_FORMATS } from '../feeds/files/file-format.ts'
import { DATE_ORDERS, findNamedZone } from '../feeds/files/local-time.ts'
import { FILE_BYTES_MAX } from '../feeds/files/uploaded-file.ts'
import { errorCode, errorMessage, singleLine } from '../lib/text.ts'
import type { ImportReport } from '../shared/contract/imports.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { ImportRefused, importFile } from '../sync/import/import-file.ts'
import { fileOf, SpooledFile, SpoolFull } from '../sync/import/spooled-file.ts'
import { argument, CommandError, defineCommand, flag, option, UsageError } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'
import { elapsedText, formatTable } from './table.ts'
import { slugValue, wordValue } from './values.ts'

/** `import <path|->`. Throws `CommandError` if the file cannot be imported. */
export const importCommand = defineCommand({
  description: `The file replaces all slots of the publisher in one commit: slots that it does not contain are removed. If the import
fails, nothing changes. Formats: CSV, NDJSON, FHIR Bundle, or slots as /v1 returns them, plain or gzip; "-" reads standard
input. Rows and lines that cannot become a slot are rejected one by one, with their number and the reason. A running service
serves the result within a second. Formats and columns: docs/importing.md`,
  examples: [
    'import slots.csv --publisher clinic --time-zone America/New_York --dry-run',
    'import slots.csv --publisher clinic --time-zone America/New_York',
    'import bundle.json.gz --publisher hospital',
    'import --template',
  ],
  input: {
    path: argument(z.string().optional(), 'path|-'),
    publisher: option(
      slugValue.optional(),
      '<slug>',
      'publisher of the slots: the slug of a source of files, created if there is none',
    ),
    dryRun: flag('read the file and print the result without changing anything'),
    format: option(wordValue(FILE_FORMATS).optional(), '<format>', `${FILE_FORMATS.join(', ')} (default: detected)`),
    timeZone: option(
      z
        .string()
        .refine((name) => findNamedZone(name) !== undefined, {
          error: ({ input }) => `must be an IANA name such as America/New_York, or UTC: got "${input}"`,
        })
        .optional(),
      '<zone>',
      'time zone of times without an offset: America/New_York',
    ),
    dateOrder: option(wordValue(DATE_ORDERS).optional(), '<order>', 'mdy or dmy, for dates such as 03/04/2026'),
    template: flag('print a CSV template and exit'),
  },
  async run(call, { path, publisher, template, ...rules }) {
    if (template) {
      call.print({ template: csvTemplate() }, csvTemplate().trimEnd())
      return
    }
    if (path === undefined || publisher === undefined)
      throw new UsageError('Cannot import: give a path (or - for standard input) and --publisher <slug>')
    await using file = await openFile(path)
    // Not before the input is read: until then, a signal ends the process.
    const signal = call.interruption()
    const report = await withStore(
      call,
      (store) =>
        importFile(
          {
            store,
            clock: store.now,
            slotsMax: call.config.slotsMax,
            signal,
            onBusy: () => call.note(`Another process is syncing ${publisher}: waiting for it.`),
          },
          { slug: publisher, ...rules, by: COMMAND_LINE, file: fileOf(file.descriptor, nameOf(path)) },
        ),
      { mayCreate: true },
    ).catch((error: unknown) => {
      throw error instanceof ImportRefused ? new CommandError(error.message) : error
    })
    call.print(report, formatImport(report))
    if (report.outcome === 'failed')
      throw new CommandError(report.error ?? `Cannot import ${report.slug}: nothing was changed`)
  },
})

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** Input that cannot be read twice, such as a pipe, is spooled to a temporary file. */
async function openFile(path: string): Promise<SpooledFile> {
  try {
    if (path === '-') return await SpooledFile.spool(process.stdin, FILE_BYTES_MAX)
    const handle = await open(path, 'r')
    if ((await handle.stat()).isFile()) return new SpooledFile(handle)
    return await SpooledFile.spool(handle.createReadStream(), FILE_BYTES_MAX)
  } catch (error) {
    if (error instanceof SpoolFull) throw new CommandError(error.message)
    if (errorCode(error) === 'ENOSPC')
      throw new CommandError(
        `Cannot spool ${nameOf(path)}: no space left in ${tmpdir()}. Free space or set TMPDIR to another folder.`,
      )
    if (errorCode(error) !== undefined)
      throw new CommandError(`Cannot import ${nameOf(path)}: the file cannot be read (${errorMessage(error)})`)
    throw error
  }
}

/** Rejections listed in text; JSON has all stored ones. */
const SHOWN_MAX = 20

function formatImport(report: ImportReport): string {
  return [
    formatTable([report], {
      SLUG: ({ slug }) => slug,
      OUTCOME: ({ dryRun, outcome }) => (dryRun ? `dry run: ${outcome}` : outcome),
      FORMAT: ({ format }) => format,
      READ: ({ read }) => read,
      SLOTS: ({ slots }) => slots,
      REJECTED: ({ rejected }) => rejected,
      WITHHELD: ({ withheld }) => withheld,
      DURATION: ({ durationMs }) => elapsedText(durationMs),
    }),
    consequence(report),
    ...report.notes.map(singleLine),
    ...formatRejections(report),
    ...formatSamples(report),
  ].join('\n')
}

function consequence({ dryRun, slots, slotsBefore, changes, slug, outcome }: ImportReport): string {
  const had = slotsBefore === undefined ? `There is no source ${slug} yet` : `${slug} has ${slotsBefore} slots`
  if (outcome === 'failed') return 'Nothing was changed.'
  if (dryRun) return `${had}. After this import it would have exactly these ${slots}. Nothing was changed.`
  const { added = 0, changed = 0, removed = 0 } = changes ?? {}
  return `${slug} now has ${slots} slots: ${added} added, ${changed} changed, ${removed} removed.`
}

function formatRejections({ rejected, rejections, slug, dryRun, outcome }: ImportReport): string[] {
  if (rejections.length === 0) return []
  const shown = rejections.slice(0, SHOWN_MAX)
  const all = dryRun || outcome === 'failed' ? 'all of them: --json' : `all of them: ${PROGRAM} rejected ${slug}`
  return [
    '',
    `Rejected${shown.length < rejected ? ` (${shown.length} of ${rejected}; ${all})` : ''}:`,
    ...shown.map(({ line, reason }) => `  ${line}: ${singleLine(reason)}`),
  ]
}

function formatSamples({ samples }: ImportReport): string[] {
  if (samples.length === 0) return []
  return ['', 'As callers see it:', ...samples.map((slot) => singleLine(JSON.stringify(slot)))]
}
