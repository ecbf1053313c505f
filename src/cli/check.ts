import { writeFile } from 'node:fs/promises'
import { FeedFailure } from '../feeds/connector.ts'
import { errorMessage } from '../lib/text.ts'
import { type CheckOptions, checkFeed, EXAMPLES_MAX_DEFAULT } from '../validator/check-feed.ts'
import type { Feed } from '../validator/feed.ts'
import { folderFeed } from '../validator/folder-feed.ts'
import { formatHtmlReport } from '../validator/html-report.ts'
import { type CheckReport, exitCodeOf } from '../validator/report.ts'
import { verdictOf } from '../validator/report-labels.ts'
import { GENERATIONS, type Generation } from '../validator/rule.ts'
import { checkSourceFeed } from '../validator/source-feed.ts'
import { formatTextReport } from '../validator/text-report.ts'
import { webFeed } from '../validator/web-feed.ts'
import { type Call, type Command, Failure, textOption, UsageFault } from './command.ts'
import { getSource } from './find-source.ts'
import { interruption } from './interruption.ts'
import { plainText } from './table.ts'
import { withStore } from './with-store.ts'

const EXAMPLES_MAX = 1000

/** What shells make of `…/$bulk-publish` between double quotes, or none. */
const LOST_NAME = /\/-publish\/?$/

/** `check <url|file|folder>`. Throws `Failure` with the exit code 1 if there are errors, 2 if the feed cannot be read. */
export const check: Command = {
  operands: [{ name: 'url|file|folder', optional: true }],
  options: {
    source: {
      value: '<slug>',
      means:
        'instead of an address: a source, asked with its headers, parameters and secrets, and read as strictly',
    },
    strict: { means: 'read it as a strict source, and end with 1 if there are warnings too' },
    generation: {
      value: '<name>',
      means: `${GENERATIONS.join(', ')} (default: the one that the feed shows)`,
    },
    examples: {
      value: '<number>',
      means: `how many findings of each rule are shown, from 1 to ${EXAMPLES_MAX} (default: ${EXAMPLES_MAX_DEFAULT})`,
    },
    html: { value: '<file>', means: 'write the report to a file, too, as one page to be read in a browser' },
  },
  explanation: `Reads a feed as a sync would, changes nothing, and tells all that is not right about it, with file, line and what would be right: an
error is rejected, left out or misread, a warning is read leniently, a hint could be better. A folder is one with the manifest and its files,
a file is a manifest, NDJSON (plain or gzip) or a FHIR Bundle. Without --source it needs no store, so publishers can run it before they
publish. Ends with 0 if there is no error, 1 if there are some, 2 if the feed cannot be read as a whole. All rules: docs/checking-a-feed.md`,
  examples: [
    "check 'https://publisher.example/$bulk-publish'",
    'check ./feed --html report.html',
    'check slots.ndjson --examples 20',
    'check --source example',
  ],
  async run(call) {
    const options = { ...wishOf(call), clock: call.clock }
    const report = await reportOf(call, { ...options, signal: interruption() })
    // A report that took minutes is not to be lost to a folder that is not there.
    call.print(report, formatTextReport(report))
    const html = textOption(call, 'html')
    if (html !== undefined) await writeReport(html, report)
    if (report.unreadable !== undefined && LOST_NAME.test(call.operands[0] ?? ''))
      call.tell('A shell takes $bulk for a variable: put the address between single quotes.')
    if (exitCodeOf(report) > 0)
      throw new Failure(`Cannot pass: ${plainText(verdictOf(report))}`, exitCodeOf(report))
  },
}

type Options = CheckOptions & { readonly signal: AbortSignal }

async function reportOf(call: Call, options: Options): Promise<CheckReport> {
  const [operand] = call.operands
  const slug = textOption(call, 'source')
  if ((operand === undefined) === (slug === undefined))
    throw new UsageFault(
      `Cannot check: one of <url|file|folder> and --source must be given: got "${slug === undefined ? 'neither' : 'both'}"`,
    )
  try {
    if (operand !== undefined) return await checkFeed(await feedOf(operand, options.signal), options)
    return await checkSource(call, slug ?? '', options)
  } catch (fault) {
    if (fault instanceof FeedFailure) throw new Failure(plainText(fault.message), 2)
    throw fault
  }
}

async function checkSource(call: Call, slug: string, options: Options): Promise<CheckReport> {
  const source = await withStore(call, (store) => getSource(store, 'check', slug))
  const { allowPrivateSources: allowPrivate, sourceSecrets } = call.config
  const secretOf = (name: string) => (Object.hasOwn(sourceSecrets, name) ? sourceSecrets[name] : undefined)
  const strict = source.strict || options.strict === true
  return checkSourceFeed({ ...source, strict }, { allowPrivate, secretOf }, options)
}

function wishOf(call: Call): { strict: boolean; generation?: Generation; examplesMax?: number } {
  const wanted = textOption(call, 'generation')
  const generation = GENERATIONS.find((name) => name === wanted)
  if (wanted !== undefined && generation === undefined)
    throw new UsageFault(
      `Cannot check: --generation must be one of ${GENERATIONS.join(', ')}: got "${wanted}"`,
    )
  const examples = textOption(call, 'examples')
  const examplesMax = Number(examples ?? EXAMPLES_MAX_DEFAULT)
  if (!Number.isInteger(examplesMax) || examplesMax < 1 || examplesMax > EXAMPLES_MAX)
    throw new UsageFault(
      `Cannot check: --examples must be a whole number from 1 to ${EXAMPLES_MAX}: got "${examples}"`,
    )
  return { strict: call.options.has('strict'), ...(generation && { generation }), examplesMax }
}

/** Whoever runs a command on a machine may read what the machine can reach: private addresses too. Throws `FeedFailure`. */
async function feedOf(operand: string, signal: AbortSignal): Promise<Feed> {
  return /^https?:\/\//i.test(operand)
    ? webFeed(operand, { allowPrivate: true }, signal)
    : folderFeed(operand)
}

async function writeReport(path: string, report: CheckReport): Promise<void> {
  try {
    await writeFile(path, formatHtmlReport(report))
  } catch (fault) {
    throw new Failure(`Cannot write ${path}: ${errorMessage(fault)}`, 2)
  }
}
