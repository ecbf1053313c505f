import { readFileSync } from 'node:fs'
import { SOURCE_FORMATS, type SourceFormat, type SourceOptions } from '../sources/connector.ts'
import { OptionsFault } from '../sources/option-texts.ts'
import { DAYS_AHEAD, DAYS_AHEAD_MAX, parseSourceOptions, secretsIn } from '../sources/source-options.ts'
import { assertPublicHost, PrivateAddress } from '../sources/web/public-address.ts'
import { type Call, type Command, textOption, UsageFault } from './command.ts'
import { parseEvery, parseFeedUrl, parseName, parseSlug } from './parse-operand.ts'
import { PROGRAM } from './program.ts'
import { viewSource } from './source-view.ts'
import { withStore } from './with-store.ts'

/** `source add <slug> <url>`. Throws `NameTaken`. */
export const sourceAdd: Command = {
  operands: [{ name: 'slug' }, { name: 'url' }],
  options: {
    format: {
      value: '<format>',
      means: 'smart-links for a manifest of files (the default), fhir-search for a FHIR server',
    },
    name: { value: '<text>', means: 'what people call the publisher' },
    options: {
      value: '<json>',
      means:
        'how it wants to be asked: headers, query, daysAhead, authorization; or @ and the name of a file that says so',
    },
    'days-ahead': {
      value: '<days>',
      means: `with fhir-search: how far ahead to ask, 1 to ${DAYS_AHEAD_MAX} (default: ${DAYS_AHEAD})`,
    },
    every: {
      value: '<minutes>',
      means: 'how often to read it, from 1 (default: as its publisher says, else SYNC_EVERY_MINUTES)',
    },
    strict: { means: 'reject what the specification forbids, instead of reading it leniently' },
  },
  explanation: `The slug is your name of the publisher: lower-case letters, digits and hyphens; it stands in each of its slots. The URL is that of
the feed's manifest, which usually ends in $bulk-publish: put it in single quotes, or the shell takes the $ for its own. With fhir-search
it is the base of the server; what stands behind a ? narrows the search of Slots. Secrets do not belong into options: write \${SOURCE_NAME},
and set that variable where the service runs. A running service reads the feed at once. Private and loopback addresses need
ALLOW_PRIVATE_SOURCES=true. What each option may say: docs/sources.md.`,
  examples: [
    "source add example 'https://publisher.example/$bulk-publish'",
    "source add example 'https://publisher.example/$bulk-publish' --every 15 --strict",
    `source add example 'https://publisher.example/$bulk-publish' --options '{"headers":{"x-client":"us"}}'`,
    "source add clinic 'https://clinic.example/fhir?status=free' --format fhir-search --days-ahead 14",
  ],
  async run(call) {
    const source = readSource(call)
    const { slug, url, options } = source
    const added = await withStore(call, (store) => store.sources.add(source))
    call.print(viewSource(added), `Added source ${slug}: ${url}\nRead it now: ${PROGRAM} sync ${slug}`)
    warnOfPrivateHost(call, new URL(url))
    warnOfMissingSecrets(call, options)
  },
}

function readSource(call: Call) {
  const format = parseFormat(textOption(call, 'format') ?? 'smart-links')
  const [every, name] = [textOption(call, 'every'), textOption(call, 'name')]
  return {
    slug: parseSlug(call.operands[0]),
    url: parseFeedUrl(call.operands[1]).href,
    format,
    options: readOptions(call, format),
    strict: call.options.has('strict'),
    ...(every !== undefined && { everyMs: parseEvery(every) }),
    ...(name !== undefined && { name: parseName('--name', name) }),
  }
}

function parseFormat(text: string): SourceFormat {
  const format = FETCHED.find((one) => one === text)
  if (format !== undefined) return format
  const hint = text === 'files' ? `\nFiles are brought: ${PROGRAM} import --help` : ''
  throw new UsageFault(
    `Cannot use --format: it must be ${FETCHED.join(' or ')}: got "${text.slice(0, 100)}"${hint}`,
  )
}

/** Sources of the other format are made by the import of a file. */
const FETCHED = SOURCE_FORMATS.filter((format) => format !== 'files')

function readOptions(call: Call, format: SourceFormat): SourceOptions {
  const given = textOption(call, 'options')
  const days = textOption(call, 'days-ahead')
  const json =
    given === undefined ? {} : parseJson(given.startsWith('@') ? readOptionsFile(given.slice(1)) : given)
  const daysAhead = days === undefined ? {} : { daysAhead: /^\d{1,3}$/.test(days) ? Number(days) : days }
  try {
    const options = parseSourceOptions(format, json)
    return days === undefined ? options : parseSourceOptions(format, { ...options, ...daysAhead })
  } catch (fault) {
    if (fault instanceof OptionsFault) throw new UsageFault(`Cannot use --options: ${fault.message}`)
    throw fault
  }
}

function readOptionsFile(path: string): string {
  const text = readFileSync(path, 'utf8')
  if (text.length <= OPTIONS_LENGTH_MAX) return text
  throw new UsageFault(
    `Cannot use --options: the file must be at most ${OPTIONS_LENGTH_MAX} characters: got "${path}"`,
  )
}

/** Twenty headers and parameters of the greatest length. */
const OPTIONS_LENGTH_MAX = 100_000

/** What was given is not repeated: a secret may stand in it where none belongs. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageFault(
      'Cannot use --options: it must be JSON, like {"headers":{"x-client":"us"}}, or @ and the name of a file',
    )
  }
}

/** A warning only, as below. */
function warnOfMissingSecrets(call: Call, options: SourceOptions): void {
  for (const name of secretsIn(options)) {
    if (Object.hasOwn(call.config.sourceSecrets, name)) continue
    call.tell(`Warning: ${name} is not set here: the source is only read where it is.`)
  }
}

/** A warning only: the service that reads it may run in another environment than this command. */
function warnOfPrivateHost(call: Call, url: URL): void {
  if (!call.config.allowPrivateSources && isPrivateHost(url)) {
    call.tell(
      `Warning: ${url.hostname} is a private address: it is only read where ALLOW_PRIVATE_SOURCES=true is set.`,
    )
  }
}

function isPrivateHost(url: URL): boolean {
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return true
  try {
    assertPublicHost(url)
    return false
  } catch (fault) {
    if (fault instanceof PrivateAddress) return true
    throw fault
  }
}
