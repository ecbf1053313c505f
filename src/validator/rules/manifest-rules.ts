import type { Json } from '../../lib/json.ts'
import { DAY_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
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
import { isLoopback } from './http-rules.ts'

/** A manifest that is a JSON object, or a page of it, with its origin. */
export interface ManifestSubject {
  readonly manifest: Json
  /** Absent for a local file. */
  readonly url?: URL
  /** The first page; the manifest itself if it is the first. */
  readonly root: Json
  /** The page before; absent for the first. */
  readonly previous?: Json
  /** The pages are those of Bulk Publish 4, in which resources are identified by type and id. */
  readonly isBulkPublish: boolean
  readonly nowMs: number
}

/** Tolerated difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 300_000
/** Every publisher of slots republishes within a week. */
const OLD_MS = 7 * DAY_MS

/** The check of an element of a manifest. */
export const manifestElement = elementChecks<ManifestSubject>(({ manifest }) => manifest)

/** The check of an element of manifests before Bulk Publish 4. */
const olderElement: ElementCheck<ManifestSubject> = (name, violates) =>
  manifestElement(name, (value, subject) => !subject.isBulkPublish && violates(value, subject))

/** Rules for a manifest and each of its pages. */
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
  warningRule('manifest-request', {
    right: '`request` is the full URL of the manifest; Bulk Publish 4 has none',
    source: 'Manifest: request',
    find: olderElement('request', (request) => {
      return typeof request !== 'string' || !/^https?:\/\//i.test(request) || !URL.canParse(request)
    }),
  }),
  hintRule('manifest-request-elsewhere', {
    right: '`request` has the path of the URL from which the manifest was fetched',
    source: 'Manifest: request',
    find: olderElement('request', (request, { url }) => {
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
    find: ({ manifest: { error }, isBulkPublish }) =>
      !isBulkPublish && Array.isArray(error) && error.length > 0 ? quote('error', `${error.length} files`) : undefined,
  }),
  warningRule('manifest-error', {
    right: '`error` is absent or an array',
    source: 'Bulk Data: manifest',
    find: olderElement('error', (error) => error !== undefined && !Array.isArray(error)),
  }),
  hintRule('manifest-name', {
    right: 'the URL of the manifest ends in `$bulk-publish`',
    source: 'Quick start: manifest',
    find: ({ url, previous }) =>
      quoteIf(
        previous === undefined && url !== undefined && !/\/(?:\$|%24)bulk-publish\/?$/i.test(url.pathname),
        'URL',
        url?.pathname,
      ),
  }),
]

/** All pages of a manifest. */
interface PublicationSubject {
  /** The types listed in `output` of any page. */
  readonly types: ReadonlySet<string>
  /** `transactionTime` of the last page. */
  readonly transactionTime: unknown
  readonly nowMs: number
}

/** Rules for all pages together. */
export const PUBLICATION_RULES: readonly Rule<PublicationSubject>[] = [
  hintRule('manifest-old', {
    right: '`transactionTime` is from this week: a feed is republished as slots are booked',
    source: 'Manifest: transactionTime; guide: sched-12',
    find: ({ transactionTime, nowMs }) =>
      quoteIf(ageOf(transactionTime, nowMs) > OLD_MS, 'transactionTime', transactionTime),
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
