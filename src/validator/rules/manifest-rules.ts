import { stateCode } from '../../feeds/fhir/state.ts'
import { asObject, type Json } from '../../lib/json.ts'
import { DAY_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { got, textOrNothing } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'
import { isLoopback } from './http-rules.ts'

/** A manifest that is a JSON object, and where it came from. */
export interface ManifestSubject {
  readonly manifest: Json
  /** Its URL, if it came from one. */
  readonly url?: URL
  /** The types that its output lists. */
  readonly types: ReadonlySet<string>
  readonly nowMs: number
}

/** Clocks of two machines differ by as much. */
const CLOCK_SKEW_MS = 300_000
/** Nobody who publishes slots publishes less often. */
const OLD_MS = 7 * DAY_MS

/** What a manifest as a whole must be. */
export const MANIFEST_RULES: readonly Rule<ManifestSubject>[] = [
  {
    id: 'manifest-transaction-time',
    severity: 'warning',
    right: '`transactionTime` is an instant with an offset: when this data was published',
    source: 'Manifest: transactionTime; guide: sched-1',
    find: ({ manifest: { transactionTime } }) =>
      typeof transactionTime === 'string' && parseRfc3339(transactionTime) !== undefined
        ? undefined
        : got('transactionTime', transactionTime),
  },
  {
    id: 'manifest-published-later',
    severity: 'warning',
    right: '`transactionTime` is not in the future',
    source: 'Manifest: transactionTime',
    find: ({ manifest, nowMs }) => {
      const atMs = parseInstant(textOrNothing(manifest.transactionTime))?.ms ?? nowMs
      return atMs > nowMs + CLOCK_SKEW_MS ? got('transactionTime', manifest.transactionTime) : undefined
    },
  },
  {
    id: 'manifest-old',
    severity: 'hint',
    right: '`transactionTime` is from this week: a feed is republished as slots are booked',
    source: 'Manifest: transactionTime; guide: sched-12',
    find: ({ manifest, nowMs }) => {
      const atMs = parseInstant(textOrNothing(manifest.transactionTime))?.ms ?? nowMs
      return atMs < nowMs - OLD_MS ? got('transactionTime', manifest.transactionTime) : undefined
    },
  },
  {
    id: 'manifest-request',
    severity: 'warning',
    right: '`request` is the full URL of the manifest',
    source: 'Manifest: request',
    find: ({ manifest: { request } }) =>
      typeof request === 'string' && /^https?:\/\//i.test(request) && URL.canParse(request)
        ? undefined
        : got('request', request),
  },
  {
    id: 'manifest-request-elsewhere',
    severity: 'hint',
    right: '`request` has the path of the URL from which the manifest was fetched',
    source: 'Manifest: request',
    find: ({ manifest: { request }, url }) => {
      const named = URL.parse(textOrNothing(request))
      if (named === null || url === undefined || isLoopback(url)) return undefined
      return placeOf(named) === placeOf(url) ? undefined : got('request', request)
    },
  },
  {
    id: 'manifest-access-token',
    severity: 'warning',
    right: '`requiresAccessToken` is absent or false: the feed is public',
    source: 'Bulk Data: manifest; guide: sched-9',
    find: ({ manifest: { requiresAccessToken: requires } }) =>
      requires === undefined || requires === false ? undefined : got('requiresAccessToken', requires),
  },
  {
    id: 'manifest-errors-listed',
    severity: 'hint',
    right: '`error` is empty: data that could not be published is missing from the feed',
    source: 'Bulk Data: manifest',
    find: ({ manifest: { error } }) =>
      Array.isArray(error) && error.length > 0 ? got('error', `${error.length} files`) : undefined,
  },
  {
    id: 'manifest-deleted',
    severity: 'hint',
    right: '`deleted` is empty: a feed is complete, and slots that it does not contain no longer exist',
    source: 'Bulk Data: manifest',
    find: ({ manifest: { deleted } }) =>
      deleted === undefined || (Array.isArray(deleted) && deleted.length === 0)
        ? undefined
        : got('deleted', deleted),
  },
  {
    id: 'manifest-error',
    severity: 'warning',
    right: '`error` is absent or an array',
    source: 'Bulk Data: manifest',
    find: ({ manifest: { error } }) =>
      error === undefined || Array.isArray(error) ? undefined : got('error', error),
  },
  {
    id: 'manifest-name',
    severity: 'hint',
    right: 'the URL of the manifest ends in `$bulk-publish`',
    source: 'Quick start: manifest',
    find: ({ url }) =>
      url === undefined || /\/(?:\$|%24)bulk-publish\/?$/i.test(url.pathname)
        ? undefined
        : got('URL', url.pathname),
  },
  {
    id: 'manifest-no-slots',
    severity: 'warning',
    right: 'a Slot file is listed; without one, this publisher has no slots',
    source: 'Manifest: output',
    find: ({ types }) => (types.has('Slot') ? undefined : got('output', [...types].join(', ') || 'nothing')),
  },
  {
    id: 'manifest-no-schedules',
    severity: 'error',
    right: 'a Schedule file is listed; without one every slot is rejected',
    source: 'Manifest: output',
    find: ({ types }) =>
      types.has('Schedule') || !types.has('Slot') ? undefined : got('output', [...types].join(', ')),
  },
  {
    id: 'manifest-no-locations',
    severity: 'warning',
    right: 'a Location file is listed; without one no slot is found by its state',
    source: 'Manifest: output',
    find: ({ types }) =>
      types.has('Location') || !types.has('Slot') ? undefined : got('output', [...types].join(', ')),
  },
]

/** One entry of `output`. */
export interface EntrySubject {
  readonly entry: unknown
  readonly at: number
  /** Where the manifest came from: relative URLs are resolved against it. */
  readonly base: URL
  /** The entry's type and URL were listed before. */
  readonly repeated: boolean
}

const READ = ['Location', 'Schedule', 'Slot', 'PractitionerRole', 'Practitioner', 'HealthcareService']
/** `slots` and `SLOT` stand for Slot, but are not read. */
const MEANT = new Map(
  READ.flatMap((type) => [[type.toLowerCase(), type] as const, [`${type.toLowerCase()}s`, type] as const]),
)

/** What an entry of `output` must be. */
export const ENTRY_RULES: readonly Rule<EntrySubject>[] = [
  {
    id: 'output-entry',
    severity: 'error',
    right: 'each entry of `output` is an object with `type` and `url`; one without a type is ignored',
    source: 'Manifest: output',
    find: ({ entry, at }) =>
      typeof asObject(entry)?.type === 'string'
        ? undefined
        : got(`output[${at}].type`, asObject(entry)?.type ?? entry),
  },
  {
    id: 'output-type',
    severity: 'error',
    right: 'the type is spelled as in FHIR; other spellings are ignored',
    source: 'Manifest: output.type',
    find: ({ entry, at }) => {
      const type = textOrNothing(asObject(entry)?.type)
      return !READ.includes(type) && MEANT.has(type.toLowerCase())
        ? got(`output[${at}].type`, type)
        : undefined
    },
  },
  {
    id: 'output-type-ignored',
    severity: 'hint',
    right: 'files of other types are not read',
    source: 'Guide: sched-11',
    find: ({ entry, at }) => {
      const type = asObject(entry)?.type
      if (typeof type !== 'string' || READ.includes(type) || MEANT.has(type.toLowerCase())) return undefined
      return got(`output[${at}].type`, type)
    },
  },
  {
    id: 'output-url',
    severity: 'error',
    right: 'the URL is http or https; otherwise the feed as a whole cannot be read',
    source: 'Manifest: output.url',
    find: ({ entry, at, base }) => {
      const url = asObject(entry)?.url
      const absolute = typeof url === 'string' ? URL.parse(url, base) : null
      return absolute !== null && /^https?:$/.test(absolute.protocol)
        ? undefined
        : got(`output[${at}].url`, url)
    },
  },
  {
    id: 'output-url-relative',
    severity: 'warning',
    right: 'the URL is absolute; a relative URL is resolved against the manifest',
    source: 'Manifest: output.url',
    find: ({ entry, at }) => {
      const url = asObject(entry)?.url
      return typeof url === 'string' && !URL.canParse(url) ? got(`output[${at}].url`, url) : undefined
    },
  },
  {
    id: 'output-url-credentials',
    severity: 'warning',
    right: 'the URL contains no user and password: they are not used, and they are public',
    source: 'RFC 9110, 4.2.4; guide: sched-9',
    find: ({ entry, at }) => {
      const url = URL.parse(textOrNothing(asObject(entry)?.url))
      return url !== null && (url.username !== '' || url.password !== '')
        ? got(`output[${at}].url`, `${url.protocol}//…@${url.host}`)
        : undefined
    },
  },
  {
    id: 'output-listed-twice',
    severity: 'warning',
    right: 'a file is listed once for each type; it is read once',
    source: 'Manifest: output',
    find: ({ entry, at, repeated }) =>
      repeated ? got(`output[${at}].url`, asObject(entry)?.url) : undefined,
  },
  {
    id: 'output-extension',
    severity: 'warning',
    right: '`extension` is absent or an object',
    source: 'Manifest: output.extension',
    find: ({ entry, at }) => {
      const extension = asObject(entry)?.extension
      return extension === undefined || asObject(extension) !== undefined
        ? undefined
        : got(`output[${at}].extension`, extension)
    },
  },
  {
    id: 'output-state',
    severity: 'warning',
    right: '`state` is an array of abbreviations of states of the US: `["MA"]`',
    source: 'Manifest: output.extension.state',
    find: ({ entry, at }) => {
      const state = asObject(asObject(entry)?.extension)?.state
      const isRight =
        Array.isArray(state) &&
        state.every(
          (one) => typeof one === 'string' && /^[A-Z]{2}$/.test(one) && stateCode(one) !== undefined,
        )
      return state === undefined || isRight ? undefined : got(`output[${at}].extension.state`, state)
    },
  },
  {
    id: 'output-state-missing',
    severity: 'hint',
    right: 'each Slot file names its states',
    source: 'Performance considerations; guide: sched-4',
    find: ({ entry, at }) => {
      const { type, extension } = asObject(entry) ?? {}
      return type === 'Slot' && asObject(extension)?.state === undefined
        ? got(`output[${at}].extension.state`, undefined)
        : undefined
    },
  },
]

/** Case of the host and escapes in the path say the same. */
function placeOf({ host, pathname }: URL): string {
  return host + pathname.replaceAll('%24', '$').replace(/\/$/, '')
}

/** Found by reading: nothing of the feed can be served. */
export const MANIFEST_UNREADABLE = {
  id: 'manifest-unreadable',
  severity: 'error',
  right: 'the manifest is a JSON object with an array `output`, and every file that it lists can be reached',
  source: 'Manifest',
} as const
