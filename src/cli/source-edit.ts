import { editOptions } from '../feeds/edit-options.ts'
import type { SourceEdit, SourceOverview } from '../store/contracts/source-store.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Call, type Command, Failure, textOption, UsageFault } from './command.ts'
import { unknownSource } from './find-source.ts'
import { parseEvery, parseFeedUrl, parseName } from './parse-operand.ts'
import { givenOptions, parsingOptions, SOURCE_SETTINGS, warnOf } from './source-settings.ts'
import { viewSource } from './source-view.ts'
import { withStore } from './with-store.ts'

/** `source edit <slug>`. Throws `Failure` for an unknown slug. */
export const sourceEdit: Command = {
  operands: [{ name: 'slug' }],
  options: {
    url: { value: '<url>', means: 'where it is from now on' },
    ...SOURCE_SETTINGS,
    lenient: { means: 'no longer strict' },
    clear: { value: '<fields>', means: 'what is to be as if it had never been said: name, options, every' },
  },
  explanation: `Only what is named changes. Of the options too: {"headers":{"x-client":"us"}} leaves other headers as they are, and what is said null of
goes. The last good slots stay served until the source could be read in its new way, which a running service tries at once, from the beginning. The slug
stays, because the ids of slots hang on it, and so does the format: for another of either, add another source. What each option may say: docs/sources.md.`,
  examples: [
    "source edit example --url 'https://publisher.example/v2/$bulk-publish'",
    'source edit example --name "Example Clinic" --every 15',
    `source edit example --options '{"headers":{"x-client":null,"x-api-key":"\${SOURCE_EXAMPLE_KEY}"}}'`,
    'source edit example --lenient --clear name,every',
  ],
  async run(call) {
    const [slug] = call.operands
    const wish = readWish(call)
    const source = await withStore(call, (store) =>
      store.sources.edit(slug, (before) => editOf(before, wish), COMMAND_LINE),
    )
    if (source === undefined) throw new Failure(unknownSource('edit source', slug))
    call.print(viewSource(source), `Edited source ${slug}.`)
    warnOf(call, source)
  },
}

/** An edit before it is known what its options are to change; undefined where nothing is said of them. */
interface Wish extends Omit<SourceEdit, 'options'> {
  readonly options?: unknown
}

function readWish(call: Call): Wish {
  const [url, name, every] = ['url', 'name', 'every'].map((option) => textOption(call, option))
  const options = givenOptions(call)
  const cleared = readCleared(call)
  const wish = {
    ...cleared,
    ...(url !== undefined && { url: parseFeedUrl(url).href }),
    ...(name !== undefined && { name: parseName('--name', name) }),
    ...(every !== undefined && { everyMs: parseEvery(every) }),
    ...(options !== undefined && { options }),
    ...readStrict(call),
  }
  const isTwice = Object.keys(cleared).some((field) => wish[field as keyof Wish] !== null)
  if (isTwice) throw new UsageFault('Cannot edit source: what is cleared must not be given as well')
  if (Object.keys(wish).length === 0) {
    throw new UsageFault('Cannot edit source: what is to change must be given: got nothing')
  }
  return wish
}

function readStrict({ options }: Call): { strict?: boolean } {
  const [strict, lenient] = [options.has('strict'), options.has('lenient')]
  if (strict && lenient)
    throw new UsageFault('Cannot edit source: --strict and --lenient must not both be given')
  return strict || lenient ? { strict } : {}
}

/** Null for each field that is to be cleared. */
function readCleared(call: Call): { name?: null; options?: null; everyMs?: null } {
  const fields = textOption(call, 'clear')?.split(',') ?? []
  const unknown = fields.find((field) => !CLEARED.has(field))
  if (unknown !== undefined) {
    const known = [...CLEARED.keys()].join(', ')
    throw new UsageFault(`Cannot use --clear: it must be of ${known}: got "${unknown.slice(0, 100)}"`)
  }
  return Object.fromEntries(fields.map((field) => [CLEARED.get(field), null]))
}

const CLEARED: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['options', 'options'],
  ['every', 'everyMs'],
])

function editOf({ format, options: before }: SourceOverview, { options, ...edit }: Wish): SourceEdit {
  const ofFeeds = [edit.url, edit.everyMs, options]
  if (format === 'files' && ofFeeds.some((each) => each !== undefined)) {
    throw new Failure('Cannot edit source: one of files has neither an address, options nor an interval')
  }
  if (options === undefined) return edit
  return { ...edit, options: parsingOptions(() => editOptions(format, before, options)) }
}
