import { CLOSED, durationMs, PENDING } from '../../feeds/smart-links/manifest.ts'
import { asObject, type Json, objectsIn } from '../../lib/json.ts'
import { parseInstant } from '../../slot/instant.ts'
import { errorRule, hintRule, quote, quoteIf, type Rule, stringOrEmpty, warningRule } from '../rule.ts'
import { type ManifestSubject, manifestElement } from './manifest-rules.ts'

const BULK_PUBLISH = 'Bulk Data 4: publish'

/** Elements that differ between the pages of a manifest. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['output', 'deleted', 'outcome', 'error', 'link', 'transactionTime'])

/** Rules about the form of the files, for every generation. */
export const FORMAT_RULES: readonly Rule<ManifestSubject>[] = [
  errorRule('manifest-output-format', {
    right: '`outputFormat` is absent or `application/fhir+ndjson`: files of other formats are not read',
    source: 'Bulk Data: manifest, outputFormat',
    find: manifestElement('outputFormat', (format) => format !== undefined && !/ndjson/i.test(stringOrEmpty(format))),
  }),
  errorRule('manifest-organized', {
    right: '`outputOrganizedBy` is absent: files of one type each are read, not blocks of several types',
    source: 'Bulk Data 4: manifest, outputOrganizedBy',
    find: manifestElement('outputOrganizedBy', (type) => type !== undefined),
  }),
]

/** Rules for the pages of Bulk Publish 4. */
export const BULK_PUBLISH_RULES: readonly Rule<ManifestSubject>[] = [
  warningRule('manifest-type', {
    right: '`manifestType` is `http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest`',
    source: BULK_PUBLISH,
    find: manifestElement('manifestType', (type) => !BULK_PUBLISH_TYPE.test(stringOrEmpty(type))),
  }),
  warningRule('manifest-access-token-missing', {
    right: '`requiresAccessToken` says whether the files need a token',
    source: 'Bulk Data 4: manifest',
    find: manifestElement('requiresAccessToken', (requires) => requires === undefined),
  }),
  hintRule('manifest-cadence-missing', {
    right: '`updateCadence` says how often the manifest changes: clients poll at this interval',
    source: BULK_PUBLISH,
    find: manifestElement('updateCadence', (cadence, { previous }) => cadence === undefined && previous === undefined),
  }),
  warningRule('manifest-cadence', {
    right: '`updateCadence` is an ISO 8601 duration: `PT5M`',
    source: BULK_PUBLISH,
    find: manifestElement('updateCadence', (cadence) => cadence !== undefined && durationMs(cadence) === undefined),
  }),
  errorRule('manifest-link', {
    right:
      '`link` is an array of objects with `relation` and `url`; at most one is `next`: a URL, `#pending` or `#closed`. Otherwise the feed as a whole cannot be read',
    source: BULK_PUBLISH,
    find: manifestElement('link', (link) => link !== undefined && !isUsableLink(link)),
  }),
  hintRule('manifest-link-ignored', {
    right: 'the relation of a link is `next`; others are not followed',
    source: BULK_PUBLISH,
    find: ({ manifest: { link } }) => {
      const other = objectsIn(link).find(({ relation }) => typeof relation === 'string' && relation !== 'next')
      return quoteIf(other !== undefined, 'link.relation', other?.relation)
    },
  }),
  warningRule('manifest-pending-root', {
    right: '`#pending` is on the last page of a chain, not on its first: the first page links to an empty second one',
    source: BULK_PUBLISH,
    find: ({ manifest, previous }) =>
      quoteIf(previous === undefined && nextOf(manifest) === PENDING, 'link.url', PENDING),
  }),
  warningRule('manifest-closed', {
    right: 'the first page leads to an open chain: `#closed` sends clients back to it, to read everything again',
    source: BULK_PUBLISH,
    find: ({ manifest }) => quoteIf(nextOf(manifest) === CLOSED, 'link.url', CLOSED),
  }),
  warningRule('manifest-page-differs', {
    right:
      'all pages repeat every element except `output`, `deleted`, `outcome`, `link` and, on a page of updates, `transactionTime`',
    source: BULK_PUBLISH,
    find: ({ manifest, root, previous }) => (previous === undefined ? undefined : differencesOf(root, manifest)),
  }),
  warningRule('manifest-page-earlier', {
    right: '`transactionTime` of a page is not before that of the page before it',
    source: BULK_PUBLISH,
    find: ({ manifest, previous }) => {
      const [time, before] = [manifest, previous].map((page) => parseInstant(stringOrEmpty(page?.transactionTime))?.ms)
      const isEarlier = time !== undefined && before !== undefined && time < before
      return quoteIf(isEarlier, 'transactionTime', manifest.transactionTime)
    },
  }),
  warningRule('outcome-entry', {
    right: '`outcome` is an array of objects with the http or https URL of a file; others are not read',
    source: 'Bulk Data 4: manifest, outcome',
    find: ({ manifest: { outcome } }) => {
      if (outcome === undefined) return undefined
      if (!Array.isArray(outcome)) return quote('outcome', outcome)
      const at = outcome.findIndex((entry) => !isWebUrl(stringOrEmpty(asObject(entry)?.url)))
      return quoteIf(at >= 0, `outcome[${at}]`, outcome[at])
    },
  }),
]

/** The manifest type of the specification, with or without a version, and those of its drafts. */
const BULK_PUBLISH_TYPE =
  /^http:\/\/hl7\.org\/fhir\/uv\/bulkdata\/(?:StructureDefinition\/BulkPublishManifest|OperationDefinition\/bulk-publish)(?:\||$)/

function nextOf({ link }: Json): unknown {
  return objectsIn(link).find(({ relation }) => relation === 'next')?.url
}

function isUsableLink(link: unknown): boolean {
  if (!Array.isArray(link)) return false
  const links = link.map(asObject)
  const next = links.filter((one) => one?.relation === 'next')
  return links.every((one) => typeof one?.relation === 'string') && next.length <= 1 && next.every(isUsableNext)
}

function isUsableNext(next: Json | undefined): boolean {
  const url = stringOrEmpty(next?.url)
  return url === PENDING || url === CLOSED || (!url.startsWith('#') && isWebUrl(url))
}

function isWebUrl(url: string): boolean {
  return url !== '' && /^https?:$/.test(URL.parse(url, 'http://base.invalid')?.protocol ?? '')
}

function differencesOf(root: Json, page: Json): string[] {
  const names = [...new Set([...Object.keys(root), ...Object.keys(page)])].filter((name) => !OF_THE_PAGE.has(name))
  const differing = names.filter((name) => JSON.stringify(root[name]) !== JSON.stringify(page[name]))
  return differing
    .slice(0, 10)
    .map((name) => `${quote(name.slice(0, 50), page[name])}; ${quote('first page', root[name])}`)
}

/** Rules that are checked while pages and their files are read. */
export const NOTED_PAGE_RULES = {
  unreadable: errorRule('manifest-page', {
    right:
      'all pages can be read, and none comes twice; there are at most 2,000 with 64 MiB and 10,000 files. Otherwise the feed as a whole cannot be read',
    source: BULK_PUBLISH,
  }),
  deletion: errorRule('deleted-bundle', {
    right:
      'each line of a `deleted` file is a Bundle; each `entry.request` has the method `DELETE` and a URL `Type/id`. Otherwise the feed as a whole cannot be read',
    source: 'Bulk Data 4: manifest, deleted',
  }),
  bundleType: warningRule('deleted-bundle-type', {
    right: 'a Bundle of deletions has the type `transaction` and at least one entry',
    source: 'Bulk Data 4: manifest, deleted',
  }),
  unknownDeletion: hintRule('deleted-unknown', {
    right: 'a deleted resource is listed on the same page or on one before',
    source: BULK_PUBLISH,
  }),
  repeated: warningRule('resource-version-repeated', {
    right: 'a file of Bulk Publish 4 has each resource once; of several versions, the last one counts',
    source: 'Bulk Data 4: output files',
  }),
  outcomeUnreadable: warningRule('outcome-file', {
    right: 'the files of `outcome` can be read, and each line is an OperationOutcome',
    source: 'Bulk Data 4: manifest, outcome',
  }),
  outcomeIssue: hintRule('outcome-issue', {
    right: 'the publisher reports no errors about its data',
    source: 'Bulk Data 4: manifest, outcome',
  }),
}
