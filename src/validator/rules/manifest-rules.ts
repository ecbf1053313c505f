import { stateCode } from '../../feeds/fhir/state.ts'
import { asObject, isObject, type Json } from '../../lib/json.ts'
import { DAY_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { elementChecks, errorRule, hintRule, quote, quoteIf, type Rule, stringOrEmpty, warningRule } from '../rule.ts'
import { isLoopback } from './http-rules.ts'

/** A manifest that is a JSON object, with its origin. */
export interface ManifestSubject {
  readonly manifest: Json
  /** Absent for a local file. */
  readonly url?: URL
  /** The types listed in `output`. */
  readonly types: ReadonlySet<string>
  readonly nowMs: number
}

/** Tolerated difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 300_000
/** Every publisher of slots republishes within a week. */
const OLD_MS = 7 * DAY_MS

const manifestElement = elementChecks<ManifestSubject>(({ manifest }) => manifest)

/** Rules for a whole manifest. */
export const MANIFEST_RULES: readonly Rule<ManifestSubject>[] = [
  warningRule('manifest-transaction-time', {
    right: '`transactionTime` is an instant with an offset: when this data was published',
    source: 'Manifest: transactionTime; guide: sched-1',
    find: manifestElement('transactionTime', (time) => parseRfc3339(stringOrEmpty(time)) === undefined),
  }),
  warningRule('manifest-published-later', {
    right: '`transactionTime` is not in the future',
    source: 'Manifest: transactionTime',
    find: manifestElement('transactionTime', (time, { nowMs }) => ageOf(time, nowMs) < -CLOCK_SKEW_MS),
  }),
  hintRule('manifest-old', {
    right: '`transactionTime` is from this week: a feed is republished as slots are booked',
    source: 'Manifest: transactionTime; guide: sched-12',
    find: manifestElement('transactionTime', (time, { nowMs }) => ageOf(time, nowMs) > OLD_MS),
  }),
  warningRule('manifest-request', {
    right: '`request` is the full URL of the manifest',
    source: 'Manifest: request',
    find: manifestElement('request', (request) => {
      return typeof request !== 'string' || !/^https?:\/\//i.test(request) || !URL.canParse(request)
    }),
  }),
  hintRule('manifest-request-elsewhere', {
    right: '`request` has the path of the URL from which the manifest was fetched',
    source: 'Manifest: request',
    find: manifestElement('request', (request, { url }) => {
      const named = URL.parse(stringOrEmpty(request))
      return named !== null && url !== undefined && !isLoopback(url) && normalize(named) !== normalize(url)
    }),
  }),
  warningRule('manifest-access-token', {
    right: '`requiresAccessToken` is absent or false: the feed is public',
    source: 'Bulk Data: manifest; guide: sched-9',
    find: manifestElement('requiresAccessToken', (requires) => requires !== undefined && requires !== false),
  }),
  hintRule('manifest-errors-listed', {
    right: '`error` is empty: data that could not be published is missing from the feed',
    source: 'Bulk Data: manifest',
    find: ({ manifest: { error } }) =>
      Array.isArray(error) && error.length > 0 ? quote('error', `${error.length} files`) : undefined,
  }),
  hintRule('manifest-deleted', {
    right: '`deleted` is empty: a feed is complete, and slots that it does not contain no longer exist',
    source: 'Bulk Data: manifest',
    find: manifestElement('deleted', (deleted) => {
      return deleted !== undefined && !(Array.isArray(deleted) && deleted.length === 0)
    }),
  }),
  warningRule('manifest-error', {
    right: '`error` is absent or an array',
    source: 'Bulk Data: manifest',
    find: manifestElement('error', (error) => error !== undefined && !Array.isArray(error)),
  }),
  hintRule('manifest-name', {
    right: 'the URL of the manifest ends in `$bulk-publish`',
    source: 'Quick start: manifest',
    find: ({ url }) =>
      quoteIf(url !== undefined && !/\/(?:\$|%24)bulk-publish\/?$/i.test(url.pathname), 'URL', url?.pathname),
  }),
  warningRule('manifest-no-slots', {
    right: 'a Slot file is listed; without one, this publisher has no slots',
    source: 'Manifest: output',
    find: ({ types }) => quoteIf(!types.has('Slot'), 'output', [...types].join(', ') || undefined),
  }),
  errorRule('manifest-no-schedules', {
    right: 'a Schedule file is listed; without one every slot is rejected',
    source: 'Manifest: output',
    find: ({ types }) => quoteIf(types.has('Slot') && !types.has('Schedule'), 'output', [...types].join(', ')),
  }),
  warningRule('manifest-no-locations', {
    right: 'a Location file is listed; without one no slot is found by its state',
    source: 'Manifest: output',
    find: ({ types }) => quoteIf(types.has('Slot') && !types.has('Location'), 'output', [...types].join(', ')),
  }),
]

/** One entry of `output`. */
export interface EntrySubject {
  readonly entry: unknown
  readonly at: number
  /** The URL of the manifest, against which relative URLs are resolved. */
  readonly base: URL
  /** True if an earlier entry has the same type and URL. */
  readonly repeated: boolean
}

const SUPPORTED_TYPES = ['Location', 'Schedule', 'Slot', 'PractitionerRole', 'Practitioner', 'HealthcareService']

/** `slots` and `SLOT` mean Slot but are not read. */
function isMisspelt(type: string): boolean {
  const isMeant = (each: string) => each.toLowerCase() === type.toLowerCase().replace(/s$/, '')
  return !SUPPORTED_TYPES.includes(type) && SUPPORTED_TYPES.some(isMeant)
}

function isStateCode(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value) && stateCode(value) !== undefined
}

const entryElement = elementChecks<EntrySubject>(
  ({ entry }) => asObject(entry) ?? {},
  ({ at }) => `output[${at}].`,
)

/** Rules for entries of `output`. */
export const ENTRY_RULES: readonly Rule<EntrySubject>[] = [
  errorRule('output-entry', {
    right: 'each entry of `output` is an object with `type` and `url`; one without a type is ignored',
    source: 'Manifest: output',
    find: ({ entry, at }) => {
      const type = asObject(entry)?.type
      return quoteIf(typeof type !== 'string', `output[${at}].type`, type ?? entry)
    },
  }),
  errorRule('output-type', {
    right: 'the type is spelled as in FHIR; other spellings are ignored',
    source: 'Manifest: output.type',
    find: entryElement('type', (type) => typeof type === 'string' && isMisspelt(type)),
  }),
  hintRule('output-type-ignored', {
    right: 'files of other types are not read',
    source: 'Guide: sched-11',
    find: entryElement('type', (type) => {
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
    find: ({ entry, at }) => {
      const url = URL.parse(stringOrEmpty(asObject(entry)?.url))
      if (url === null || (url.username === '' && url.password === '')) return undefined
      return quote(`output[${at}].url`, `${url.protocol}//…@${url.host}`)
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
    find: entryElement('extension', (extension) => extension !== undefined && !isObject(extension)),
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

/** The age of an instant; 0 if it is invalid. */
function ageOf(instant: unknown, nowMs: number): number {
  return nowMs - (parseInstant(stringOrEmpty(instant))?.ms ?? nowMs)
}

/** Host and path, normalized. */
function normalize({ host, pathname }: URL): string {
  return host + pathname.replaceAll('%24', '$').replace(/\/$/, '')
}

/** Checked on reading. */
export const MANIFEST_UNREADABLE = errorRule('manifest-unreadable', {
  right: 'the manifest is a JSON object with an array `output`, and every file that it lists can be reached',
  source: 'Manifest',
})
