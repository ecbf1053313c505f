import { editOptions } from '../feeds/edit-options.ts'
import { defined } from '../lib/optional.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { SourceEdit, SourceOverview } from '../store/contracts/sources.ts'
import { argument, CommandError, defineCommand, flag, option, UsageError } from './command.ts'
import { optionsOf, parsingOptions, SOURCE_SETTINGS, warnAboutSource } from './source-settings.ts'
import { printedSource } from './source-view.ts'
import { foundSource, withStore } from './store-access.ts'
import { clearValue, feedUrlValue, slugValue } from './values.ts'

const CLEARABLE = { name: 'name', options: 'options', every: 'everyMs', 'slots-max': 'slotsMax' } as const

/** `source edit <slug>`. Throws `CommandError` for an unknown slug. */
export const sourceEdit = defineCommand({
  description: `Changes only the fields that are given. Options are merged: {"headers":{"x-client":"us"}} keeps other headers, and null removes
one. The last good slots stay served until the source is read with its new settings, which a running service does
immediately and in full. The slug and the format cannot change, because the IDs of slots depend on them: add another source
instead. All options: docs/sources.md`,
  examples: [
    "source edit example --url 'https://publisher.example/v2/$bulk-publish'",
    'source edit example --name "Example Clinic" --every 15',
    `source edit example --options '{"headers":{"x-client":null,"x-api-key":"\${SOURCE_EXAMPLE_KEY}"}}'`,
    'source edit example --lenient --clear name,every',
  ],
  input: {
    slug: argument(slugValue),
    url: option(feedUrlValue.optional(), '<url>', 'new URL'),
    ...SOURCE_SETTINGS,
    lenient: flag('no longer strict'),
    clear: option(
      clearValue(CLEARABLE).default({}),
      '<fields>',
      'fields to reset to their default: name, options, every, slots-max',
    ),
  },
  async run(call, { slug, clear, url, name, every, slotsMax, strict, lenient, ...given }) {
    if (strict && lenient) throw new UsageError('Cannot edit source: give either --strict or --lenient')
    const options = optionsOf(given)
    const edit: Edit = {
      ...clear,
      ...defined({ url, name, everyMs: every, slotsMax, options }),
      ...((strict || lenient) && { strict }),
    }
    const isContradictory = Object.keys(clear).some((field) => edit[field as keyof Edit] !== null)
    if (isContradictory) throw new UsageError('Cannot edit source: a field cannot be both set and cleared')
    if (Object.keys(edit).length === 0) throw new UsageError('Cannot edit source: give at least one field to change')
    const edited = await withStore(call, (store) =>
      store.sources.edit(slug, (before) => editOf(before, edit), COMMAND_LINE),
    )
    const source = foundSource(edited, 'edit source', slug)
    call.print(printedSource(source), `Edited source ${slug}.`)
    warnAboutSource(call, source)
  },
})

/** An edit whose options have not been merged with the present ones. */
interface Edit extends Omit<SourceEdit, 'options'> {
  readonly options?: unknown
}

function editOf({ format, options: before }: SourceOverview, { options, ...edit }: Edit): SourceEdit {
  if (format === 'files' && (edit.url !== undefined || edit.everyMs !== undefined)) {
    throw new CommandError('Cannot edit source: a source of files has no URL or interval')
  }
  if (options === undefined) return edit
  return { ...edit, options: parsingOptions(() => editOptions(format, before, options)) }
}
