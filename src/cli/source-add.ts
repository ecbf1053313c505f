import { z } from 'zod'
import { parseSourceOptions } from '../feeds/source-options.ts'
import { defined } from '../lib/optional.ts'
import { SOURCE_FORMATS } from '../shared/source-vocabulary.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, option } from './command.ts'
import { PROGRAM } from './program.ts'
import { optionsOf, parsingOptions, SOURCE_SETTINGS, warnAboutSource } from './source-settings.ts'
import { printedSource } from './source-view.ts'
import { withStore } from './store-access.ts'
import { feedUrlValue, slugValue } from './values.ts'

/** Sources of the format `files` are created by an import. */
const FETCHED_FORMATS = SOURCE_FORMATS.filter((format) => format !== 'files')

const formatValue = z.enum(FETCHED_FORMATS, {
  error: ({ input }) =>
    `must be ${FETCHED_FORMATS.join(' or ')}: got "${String(input).slice(0, 100)}"${input === 'files' ? `\nImport files instead: ${PROGRAM} import --help` : ''}`,
})

/** `source add <slug> <url>`. Throws `NameTaken`. */
export const sourceAdd = defineCommand({
  description: `The slug is your name of the publisher, used as \`publisher\` on every slot. The URL is the feed's manifest, which usually ends in
$bulk-publish: put it in single quotes, or the shell replaces $bulk. With fhir-search it is the base URL of the server; a
query restricts the search of Slots. Do not put secrets into options: write \${SOURCE_NAME} and set that variable where the
service runs. A running service reads the feed immediately. Private and loopback addresses need ALLOW_PRIVATE_SOURCES=true.
All options: docs/sources.md`,
  examples: [
    "source add example 'https://publisher.example/$bulk-publish'",
    "source add example 'https://publisher.example/$bulk-publish' --every 15 --strict",
    `source add example 'https://publisher.example/$bulk-publish' --options '{"headers":{"x-client":"us"}}'`,
    "source add clinic 'https://clinic.example/fhir?status=free' --format fhir-search --days-ahead 14",
    "source add hospital 'https://hospital.example/r4?schedule.actor=Location/7' --format fhir-search --server epic",
  ],
  input: {
    slug: argument(slugValue),
    url: argument(feedUrlValue),
    format: option(
      formatValue.default('smart-links'),
      '<format>',
      'smart-links for a manifest of files (default), fhir-search for a FHIR server',
    ),
    ...SOURCE_SETTINGS,
  },
  async run(call, { slug, url, format, strict, every, slotsMax, name, ...given }) {
    const options = parsingOptions(() => parseSourceOptions(format, optionsOf(given) ?? {}))
    const source = {
      slug,
      url,
      format,
      options,
      strict,
      ...defined({ everyMs: every, slotsMax, name }),
    }
    const added = await withStore(call, (store) => store.sources.add(source, COMMAND_LINE), { mayCreate: true })
    call.print(printedSource(added), `Added source ${slug}: ${url}\nSync it now: ${PROGRAM} sync ${slug}`)
    warnAboutSource(call, source)
  },
})
