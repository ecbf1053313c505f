import { asObject, isObject } from '../../lib/json.ts'
import { regionCode } from '../../slot/region.ts'
import { RESOURCE_TYPES } from '../../slot/slot.ts'
import {
  type ElementCheck,
  elementChecks,
  errorRule,
  hintRule,
  quote,
  quoteIf,
  type Rule,
  stringOrEmpty,
  warningRule,
} from '../rule.ts'

/** One entry of `output` or `deleted`. */
export interface EntrySubject {
  readonly list: 'output' | 'deleted'
  readonly entry: unknown
  readonly at: number
  /** The URL of the manifest, against which relative URLs are resolved. */
  readonly base: URL
  /** True if an earlier entry has the same type and URL. */
  readonly repeated: boolean
  /** The manifest has `outputOrganizedBy`: entries have no type. */
  readonly isOrganized: boolean
}

const SUPPORTED_TYPES: readonly string[] = RESOURCE_TYPES

/** `slots` and `SLOT` mean Slot but are not read. */
function isMisspelt(type: string): boolean {
  const isMeant = (each: string) => each.toLowerCase() === type.toLowerCase().replace(/s$/, '')
  return !SUPPORTED_TYPES.includes(type) && SUPPORTED_TYPES.some(isMeant)
}

function isStateCode(value: unknown): boolean {
  return typeof value === 'string' && regionCode(value) === value
}

const entryElement = elementChecks<EntrySubject>(
  ({ entry }) => asObject(entry) ?? {},
  ({ list, at }) => `${list}[${at}].`,
)

/** The check of an element of `output`. */
const outputElement: ElementCheck<EntrySubject> = (name, violates) =>
  entryElement(name, (value, subject) => subject.list === 'output' && violates(value, subject))

/** Rules for entries of `output` and `deleted`. */
export const ENTRY_RULES: readonly Rule<EntrySubject>[] = [
  errorRule('output-entry', {
    right:
      'each entry of `output` is an object with `type` and `url`; with one of an unknown type, the feed as a whole cannot be read',
    source: 'Manifest: output',
    find: ({ list, entry, at, isOrganized }) => {
      const type = asObject(entry)?.type
      return quoteIf(list === 'output' && !isOrganized && typeof type !== 'string', `output[${at}].type`, type ?? entry)
    },
  }),
  errorRule('output-type', {
    right: 'the type is spelled as in FHIR; other spellings are ignored',
    source: 'Manifest: output.type',
    find: outputElement('type', (type) => typeof type === 'string' && isMisspelt(type)),
  }),
  hintRule('output-type-ignored', {
    right: 'files of other types are not read',
    source: 'Guide: sched-11',
    find: outputElement('type', (type) => {
      return typeof type === 'string' && !SUPPORTED_TYPES.includes(type) && !isMisspelt(type)
    }),
  }),
  errorRule('output-url', {
    right: 'the URL is http or https; otherwise the feed as a whole cannot be read',
    source: 'Manifest: output.url',
    find: entryElement('url', (url, { base }) => {
      return typeof url !== 'string' || !/^https?:$/.test(URL.parse(url, base)?.protocol ?? '')
    }),
  }),
  warningRule('output-url-relative', {
    right: 'the URL is absolute; a relative URL is resolved against the manifest',
    source: 'Manifest: output.url',
    find: entryElement('url', (url) => typeof url === 'string' && !URL.canParse(url)),
  }),
  warningRule('output-url-credentials', {
    right: 'the URL contains no user and password: they are not used, and they are public',
    source: 'RFC 9110, 4.2.4; guide: sched-9',
    find: ({ list, entry, at }) => {
      const url = URL.parse(stringOrEmpty(asObject(entry)?.url))
      if (url === null || (url.username === '' && url.password === '')) return undefined
      return quote(`${list}[${at}].url`, `${url.protocol}//…@${url.host}`)
    },
  }),
  warningRule('output-listed-twice', {
    right: 'a file is listed once for each type; it is read once',
    source: 'Manifest: output',
    find: entryElement('url', (_, { repeated }) => repeated),
  }),
  warningRule('output-extension', {
    right: '`extension` is absent or an object',
    source: 'Manifest: output.extension',
    find: outputElement('extension', (extension) => extension !== undefined && !isObject(extension)),
  }),
  warningRule('output-state', {
    right: '`state` is an array of abbreviations of states of the US: `["MA"]`',
    source: 'Manifest: output.extension.state',
    find: ({ entry, at }) => {
      const state = asObject(asObject(entry)?.extension)?.state
      const isWrong = state !== undefined && !(Array.isArray(state) && state.every(isStateCode))
      return quoteIf(isWrong, `output[${at}].extension.state`, state)
    },
  }),
  hintRule('output-state-missing', {
    right: 'each Slot file names its states',
    source: 'Performance considerations; guide: sched-4',
    find: ({ entry, at }) => {
      const { type, extension } = asObject(entry) ?? {}
      const isMissing = type === 'Slot' && asObject(extension)?.state === undefined
      return quoteIf(isMissing, `output[${at}].extension.state`, undefined)
    },
  }),
]
