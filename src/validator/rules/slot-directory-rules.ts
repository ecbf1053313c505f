import { asObject, objectsIn } from '../../lib/json.ts'
import { extensionsOf } from '../extensions.ts'
import type { Probe } from '../feed.ts'
import { hintRule, quote, quoteIf, type Rule, warningRule } from '../rule.ts'
import type { EntrySubject } from './entry-rules.ts'
import type { ManifestSubject } from './manifest-rules.ts'
import type { ResourceSubject } from './resource-rules.ts'

const COMMUNITY = 'Slot Directory: community checks'

/** The elements that the community expects, also those that Bulk Publish 4 has dropped. */
const FIELDS = ['transactionTime', 'request', 'requiresAccessToken', 'outputFormat', 'output', 'error']

/** Rules for the first page of a manifest. */
export const DIRECTORY_MANIFEST_RULES: readonly Rule<ManifestSubject>[] = [
  warningRule('directory-manifest-fields', {
    right:
      'the manifest has `transactionTime`, `request`, `requiresAccessToken`, `outputFormat`, `output` and `error`: clients of every generation read it',
    source: COMMUNITY,
    find: ({ manifest, previous }) => {
      if (previous !== undefined) return undefined
      return FIELDS.filter((name) => manifest[name] === undefined).map((name) => quote(name, undefined))
    },
  }),
]

export const DIRECTORY_ENTRY_RULES: readonly Rule<EntrySubject>[] = [
  warningRule('directory-output-count', {
    right: 'each entry of `output` has the `count` of its resources: clients plan by it, and notice truncated files',
    source: COMMUNITY,
    find: ({ list, entry, at }) => {
      const isMissing = list === 'output' && asObject(entry)?.count === undefined
      return quoteIf(isMissing, `output[${at}].count`, undefined)
    },
  }),
]

/** Rules for resources of every type. */
export const DIRECTORY_RESOURCE_RULES: readonly Rule<ResourceSubject>[] = [
  warningRule('directory-slot-booking', {
    right: 'a slot has the extension `booking-deep-link` or `booking-phone`: people book with it',
    source: COMMUNITY,
    find: ({ type, resource }) => {
      if (type !== 'Slot') return undefined
      const names = extensionsOf(type, resource).map(({ name }) => name)
      const isBookable = names.includes('booking-deep-link') || names.includes('booking-phone')
      return isBookable ? undefined : 'extension booking-deep-link, booking-phone: not provided'
    },
  }),
  hintRule('directory-location-identifier', {
    right: 'a Location has the identifiers that its organization uses, such as its facility number',
    source: 'Location identifiers; guide: sched-22',
    find: ({ type, resource }) => lacksIdentifier('Location', type, resource.identifier),
  }),
  hintRule('directory-role-identifier', {
    right: 'a PractitionerRole has the identifiers that its organization uses, such as a number of the role',
    source: 'PractitionerRole identifiers; guide: sched-19',
    find: ({ type, resource }) => lacksIdentifier('PractitionerRole', type, resource.identifier),
  }),
]

function lacksIdentifier(wanted: string, type: string, identifier: unknown): string | undefined {
  const hasValue = objectsIn(identifier).some(({ value }) => typeof value === 'string')
  return quoteIf(type === wanted && !hasValue, 'identifier', identifier)
}

/** The check of the probes of one kind. */
function probed(kind: Probe['kind'], role: Probe['role'] | undefined, right: (probe: Probe) => string | undefined) {
  return (probe: Probe) =>
    probe.kind === kind && (role === undefined || probe.role === role) ? right(probe) : undefined
}

const failure = ({ failure }: Probe) => failure

/** A probe of a publication. */
interface ProbeSubject extends Probe {
  /** The manifest says that its files need no token. */
  readonly isOpen: boolean
}

/** Rules for additional requests. */
export const PROBE_RULES: readonly Rule<ProbeSubject>[] = [
  warningRule('directory-token-needed', {
    right: 'files of a manifest that says `requiresAccessToken: false` are sent without a token',
    source: 'Bulk Data 4: output file request',
    find: (probe) => (probe.isOpen && probe.role === 'file' && probe.kind === 'anonymous' ? probe.failure : undefined),
  }),
  warningRule('directory-anonymous', {
    right: 'the manifest and its files are sent without keys, credentials and parameters of a source',
    source: `${COMMUNITY}; guide: sched-9`,
    find: probed('anonymous', undefined, failure),
  }),
  warningRule('directory-cors', {
    right: 'the manifest is sent with `Access-Control-Allow-Origin: *`: pages of other origins can read it',
    source: `${COMMUNITY}; Fetch: CORS protocol`,
    find: probed('cors', 'manifest', allowsNoOrigin),
  }),
  hintRule('directory-file-cors', {
    right: 'files are sent with `Access-Control-Allow-Origin: *`: pages of other origins can read them',
    source: 'Fetch: CORS protocol',
    find: probed('cors', 'file', allowsNoOrigin),
  }),
  warningRule('directory-manifest-accept', {
    right: 'a request for the manifest without `Accept` gets the manifest as JSON',
    source: 'Accept headers; guide: sched-2',
    find: probed('accept', 'manifest', (probe) => failure(probe) ?? wrongType(probe, /^application\/(?:fhir\+)?json/i)),
  }),
  warningRule('directory-file-accept', {
    right: 'a request for a file without `Accept` gets the file as NDJSON',
    source: 'Accept headers; guide: sched-3',
    find: probed('accept', 'file', (probe) => failure(probe) ?? wrongType(probe, /^application\/(?:fhir\+)?ndjson/i)),
  }),
  warningRule('directory-since', {
    right: 'a request for the manifest with `_since` is answered: the parameter may be ignored, but it is no error',
    source: 'Performance considerations; guide: sched-8',
    find: probed('since', 'manifest', failure),
  }),
]

function allowsNoOrigin({ failure, headers, origin }: Probe): string | undefined {
  const allowed = headers['access-control-allow-origin']
  return failure ?? quoteIf(allowed !== '*' && allowed !== origin, 'Access-Control-Allow-Origin', allowed)
}

function wrongType({ headers }: Probe, expected: RegExp): string | undefined {
  const type = headers['content-type']
  return quoteIf(!expected.test(type ?? ''), 'Content-Type', type)
}
