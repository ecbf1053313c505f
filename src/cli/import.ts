import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { csvTemplate } from '../feeds/files/csv-columns.ts'
import { FILE_FORMATS } from '../feeds/files/file-format.ts'
import { DATE_ORDERS, findNamedZone } from '../feeds/files/local-time.ts'

import { FILE_BYTES_MAX } from '../feeds/files/uploaded-file.ts'
import { ImportRefused, type ImportWish, importFile } from '../sync/import/import-file.ts'
import type { ImportReport } from '../sync/import/import-report.ts'
import { fileOf, SpooledFile, SpoolFull } from '../sync/import/spooled-file.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Call, type Command, Failure, textOption, UsageFault } from './command.ts'
import { formatImport } from './import-view.ts'
import { interruption } from './interruption.ts'
import { parseSlug } from './parse-operand.ts'
import { withStore } from './with-store.ts'

/** `import <path|->`. Throws `Failure` if the file cannot be taken in. */
export const importCommand: Command = {
  operands: [{ name: 'path', optional: true }],
  options: {
    publisher: {
      value: '<slug>',
      means: 'whose slots these are: the slug of a source of files, made if there is none',
    },
    'dry-run': { means: 'read all of it, say what it comes to, and change nothing' },
    format: { value: '<format>', means: `${FILE_FORMATS.join(', ')} (default: what the content looks like)` },
    'time-zone': { value: '<zone>', means: 'where times without an offset are local: America/New_York' },
    'date-order': { value: '<order>', means: 'mdy or dmy, for dates such as 03/04/2026' },
    template: { means: 'print a table to begin with, and do nothing else' },
  },
  explanation: `The file is the whole of what the publisher offers: slots that it does not hold are gone afterwards, all in one moment, or nothing
changes at all. It is CSV, NDJSON, a FHIR Bundle, or slots as /v1 answers them, plain or gzip; "-" reads standard input. A row or line that
cannot become a slot is rejected by itself, with its number and the reason. A running service serves the outcome within a second.
All about files, and the columns of a table: docs/importing.md`,
  examples: [
    'import slots.csv --publisher clinic --time-zone America/New_York --dry-run',
    'import slots.csv --publisher clinic --time-zone America/New_York',
    'import bundle.json.gz --publisher hospital',
    'import --template',
  ],
  async run(call) {
    if (call.options.has('template')) {
      call.print({ template: csvTemplate() }, csvTemplate().trimEnd())
      return
    }
    const wish = wishOf(call)
    const signal = interruption()
    await using file = await openFile(call.operands[0])
    const report = await withStore(call, (store) =>
      importFile(
        {
          store,
          clock: call.clock,
          signal,
          onBusy: () => call.tell(`Another process is reading ${wish.slug}: waiting for it.`),
        },
        { ...wish, by: COMMAND_LINE, file: fileOf(file.descriptor, nameOf(call.operands[0])) },
      ),
    ).catch(refuse)
    call.print(report, formatImport(report))
    failUnlessDone(report)
  },
}

function wishOf(call: Call): Omit<ImportWish, 'file'> {
  const publisher = textOption(call, 'publisher')
  if (call.operands[0] === undefined || publisher === undefined)
    throw new UsageFault(
      'Cannot import: a path (or - for standard input) and --publisher <slug> must be given',
    )
  const timeZone = textOption(call, 'time-zone')
  if (timeZone !== undefined && findNamedZone(timeZone) === undefined)
    throw new UsageFault(
      `Cannot use --time-zone: it must be a name such as America/New_York (IANA), or UTC: got "${timeZone}"`,
    )
  return {
    slug: parseSlug(publisher),
    dryRun: call.options.has('dry-run'),
    format: oneOf(call, 'format', FILE_FORMATS),
    dateOrder: oneOf(call, 'date-order', DATE_ORDERS),
    timeZone,
  }
}

function oneOf<T extends string>(call: Call, option: string, words: readonly T[]): T | undefined {
  const text = textOption(call, option)
  const word = words.find((each) => each === text)
  if (text === undefined || word !== undefined) return word
  throw new UsageFault(`Cannot use --${option}: it must be one of ${words.join(', ')}: got "${text}"`)
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** What cannot be read twice, such as a pipe, is kept aside first. */
async function openFile(path: string): Promise<SpooledFile> {
  try {
    if (path === '-') return await SpooledFile.spool(process.stdin, FILE_BYTES_MAX)
    const handle = await open(path, 'r')
    if ((await handle.stat()).isFile()) return new SpooledFile(handle)
    return await SpooledFile.spool(handle.createReadStream(), FILE_BYTES_MAX)
  } catch (fault) {
    if (fault instanceof SpoolFull) throw new Failure(fault.message)
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC')
      throw new Failure(
        `Cannot keep ${nameOf(path)} aside: ${tmpdir()} must have room for it (TMPDIR names another folder): got "no space left"`,
      )
    if (fault instanceof Error && 'code' in fault)
      throw new Failure(
        `Cannot import ${nameOf(path)}: it must be a file that can be read: got "${fault.message}"`,
      )
    throw fault
  }
}

function refuse(fault: unknown): never {
  throw fault instanceof ImportRefused ? new Failure(fault.message) : fault
}

function failUnlessDone({ outcome, error, slug }: ImportReport): void {
  if (outcome === 'failed') throw new Failure(error ?? `Cannot import ${slug}: nothing was changed`)
}
