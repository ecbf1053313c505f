import { SOURCE_FORMATS, type SourceFormat } from '../feeds/connector.ts'
import { parseSourceOptions } from '../feeds/source-options.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Call, type Command, textOption, UsageFault } from './command.ts'
import { parseEvery, parseFeedUrl, parseName, parseSlug } from './parse-operand.ts'
import { PROGRAM } from './program.ts'
import { givenOptions, parsingOptions, SOURCE_SETTINGS, warnOf } from './source-settings.ts'
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
    ...SOURCE_SETTINGS,
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
    const { slug, url } = source
    const added = await withStore(call, (store) => store.sources.add(source, COMMAND_LINE))
    call.print(viewSource(added), `Added source ${slug}: ${url}\nRead it now: ${PROGRAM} sync ${slug}`)
    warnOf(call, source)
  },
}

function readSource(call: Call) {
  const format = parseFormat(textOption(call, 'format') ?? 'smart-links')
  const [every, name] = [textOption(call, 'every'), textOption(call, 'name')]
  return {
    slug: parseSlug(call.operands[0]),
    url: parseFeedUrl(call.operands[1]).href,
    format,
    options: parsingOptions(() => parseSourceOptions(format, givenOptions(call) ?? {})),
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
