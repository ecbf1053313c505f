import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { FeedFailure } from '../feeds/connector.ts'
import { errorMessage, singleLine } from '../lib/text.ts'
import { formatHtmlReport } from '../shared/check-report-html.ts'
import { GENERATIONS, verdictOf } from '../shared/check-report-labels.ts'
import { conformanceVerdict, PROFILES } from '../shared/conformance-labels.ts'
import { formatConformanceHtml } from '../shared/conformance-report-html.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { type CheckOptions, checkFeed, EXAMPLES_MAX_DEFAULT } from '../validator/check-feed.ts'
import type { Feed } from '../validator/feed.ts'
import { folderFeed } from '../validator/folder-feed.ts'
import { exitCodeOf } from '../validator/report.ts'
import { checkSourceFeed } from '../validator/source-feed.ts'
import { formatTextReport } from '../validator/text-report.ts'
import { webFeed } from '../validator/web-feed.ts'
import { argument, type Call, CommandError, defineCommand, flag, option, UsageError } from './command.ts'
import { getSource, withStore } from './store-access.ts'
import { countValue, wordValue } from './values.ts'

const EXAMPLES_MAX = 1000

/** The end of a URL in which a shell has expanded `$bulk`, without quotes or in double quotes. */
const LOST_NAME = /\/-publish\/?$/

/** `check <url|file|folder>`. Throws `CommandError` with exit code 1 if there are errors, 2 if the feed cannot be read. */
export const check = defineCommand({
  description: `Reads a feed as a sync would, without changing anything, and lists every problem with its file, line and a correction. An
error is rejected, left out or misread; a warning is read leniently; a hint is a possible improvement. A folder contains a
manifest and its files; a file is a manifest, NDJSON (plain or gzip) or a FHIR Bundle. No store is needed without --source,
so publishers can run it before they publish. Exit codes: 0 no errors, 1 errors, 2 the feed cannot be read. All rules:
docs/checking-a-feed.md`,
  examples: [
    "check 'https://publisher.example/$bulk-publish'",
    'check ./feed --html report.html',
    'check slots.ndjson --examples 20',
    "check 'https://publisher.example/$bulk-publish' --profile slot-directory --html conformance.html",
    'check --source example',
  ],
  input: {
    target: argument(z.string().optional(), 'url|file|folder'),
    source: option(
      z.string().optional(),
      '<slug>',
      'check a source with its headers, parameters, secrets and strictness, instead of an address',
    ),
    strict: flag('read the feed strictly, and exit with 1 for warnings too'),
    generation: option(wordValue(GENERATIONS).optional(), '<name>', `${GENERATIONS.join(', ')} (default: detected)`),
    profile: option(
      wordValue(PROFILES).optional(),
      '<name>',
      `also assess the statements of a profile, as a conformance report: ${PROFILES.join(', ')}`,
    ),
    examples: option(
      countValue(EXAMPLES_MAX).default(EXAMPLES_MAX_DEFAULT),
      '<number>',
      `number of findings shown per rule, from 1 to ${EXAMPLES_MAX} (default: ${EXAMPLES_MAX_DEFAULT})`,
    ),
    html: option(
      z.string().optional(),
      '<file>',
      'also write the report to a file, as a web page; with --profile, the conformance report',
    ),
  },
  async run(call, { target, source, strict, generation, profile, examples, html }) {
    const options = {
      strict,
      ...(generation && { generation }),
      profile,
      examplesMax: examples,
      clock: Date.now,
    }
    const report = await checkTarget(call, { target, source }, { ...options, signal: call.interruption() })
    // Printed first: a report that took minutes must not be lost because its folder does not exist.
    call.print(report, formatTextReport(report))
    if (html !== undefined) await writeReport(html, report)
    if (report.unreadable !== undefined && LOST_NAME.test(target ?? ''))
      call.note('The shell replaced $bulk by a variable: put the address in single quotes.')
    if (exitCodeOf(report) > 0)
      throw new CommandError(`Check failed: ${singleLine(reasonOfFailure(report))}`, exitCodeOf(report))
  },
})

/** A feed without errors fails only by its profile. */
function reasonOfFailure(report: CheckReport): string {
  const { conformance, counts, unreadable, stopped } = report
  const isReadable = unreadable === undefined && stopped === undefined && counts.error === 0
  return conformance !== undefined && isReadable ? conformanceVerdict(conformance) : verdictOf(report)
}

type Options = CheckOptions & { readonly signal: AbortSignal }

async function checkTarget(
  call: Call,
  { target, source }: { target: string | undefined; source: string | undefined },
  options: Options,
): Promise<CheckReport> {
  if ((target === undefined) === (source === undefined))
    throw new UsageError('Cannot check: give either <url|file|folder> or --source <slug>')
  try {
    if (target !== undefined) return await checkFeed(await feedOf(target, options.signal), options)
    return await checkSource(call, source ?? '', options)
  } catch (error) {
    if (error instanceof FeedFailure) throw new CommandError(singleLine(error.message), 2)
    throw error
  }
}

async function checkSource(call: Call, slug: string, options: Options): Promise<CheckReport> {
  const source = await withStore(call, (store) => getSource(store, 'check', slug))
  const { allowPrivateSources: allowPrivate, allowedSourceHosts: allowedHosts, sourceSecrets } = call.config
  const strict = source.strict || options.strict === true
  return checkSourceFeed({ ...source, strict }, { allowPrivate, allowedHosts, sourceSecrets }, options)
}

/** Private addresses are allowed: the person who runs a command can reach them anyway. Throws `FeedFailure`. */
async function feedOf(target: string, signal: AbortSignal): Promise<Feed> {
  return /^https?:\/\//i.test(target) ? webFeed(target, { allowPrivate: true }, signal) : folderFeed(target)
}

async function writeReport(path: string, report: CheckReport): Promise<void> {
  try {
    const { conformance } = report
    await writeFile(
      path,
      conformance === undefined ? formatHtmlReport(report) : formatConformanceHtml(report, conformance),
    )
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${errorMessage(error)}`, 2)
  }
}
