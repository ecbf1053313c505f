import type { Steps } from '../../../lib/steps.ts'
import { parseRfc3339 } from '../../../slot/instant.ts'
import { type ParameterTable, parameter, parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext } from '../../api-context.ts'
import { FHIR_JSON_TYPE } from '../../fhir-outcome.ts'
import { etagOfContent } from '../../negotiation.ts'
import type { JsonBody } from '../../send-json.ts'
import { EXAMPLE_MANIFEST } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation, OperationResponse } from '../operation.ts'
import { FEED_PATH, type FeedAccess, keyedAccess } from './feed-access.ts'
import { type FileAt, formatFileName } from './feed-file.ts'
import { FEED_PAGE_PARAMETERS } from './feed-formats.ts'
import type { FeedVersion } from './feed-versions.ts'
import { LAST_SOURCE_SYNC } from './fhir-urls.ts'
import { type FeedPlace, linkToNext, MANIFEST_NAME, manifestHead } from './manifest-parts.ts'

/** The parameters of the manifest. */
export const MANIFEST_PARAMETERS: ParameterTable<object> = {
  ...FEED_PAGE_PARAMETERS,
  _since: parameter({
    description: 'Accepted and ignored, as the standard allows: the manifest lists all slots.',
    kind: { schema: { type: 'string', format: 'date-time' }, allowed: 'an RFC 3339 instant', parse: parseRfc3339 },
    examples: ['2026-06-01T12:00:00Z'],
    put: () => {},
  }),
}

/** GET /v1/fhir/$bulk-publish: the manifest of all slots as a SMART Scheduling Links feed. */
export const showManifest: Operation = {
  path: `${FEED_PATH}${MANIFEST_NAME}`,
  id: 'showManifest',
  summary: 'Show the manifest of the feed',
  description:
    'Returns the manifest of all slots as a SMART Scheduling Links feed (HL7, STU1) in the form of Bulk Publish (Bulk Data Access 4). Its files belong to one snapshot and never change; read them one after the other.',
  parameters: MANIFEST_PARAMETERS,
  content: jsonContent('Manifest', EXAMPLE_MANIFEST),
  // Clients of FHIR servers send it with each request. A manifest is no resource, so it stays JSON.
  alsoAccepts: [FHIR_JSON_TYPE],
  headers: [...INDEX_HEADERS, 'Slots-Revision'],
  problems: ['invalid-parameter'],
  isTimely: true,
  read({ search, nowMs }, api) {
    parseParameters(search, MANIFEST_PARAMETERS, {})
    return readManifest(nowMs, api)
  },
}

function* readManifest(nowMs: number, api: ApiContext): Steps<OperationResponse> {
  const version = yield* api.feedVersions.newest(nowMs)
  const headers = `Slots-Revision: ${formatRevision(version.snapshot.committed)}\r\n`
  return { ...manifestOf(version, keyedAccess(api.exports), { baseUrl: api.baseUrl, nowMs }), headers }
}

interface ManifestRequest extends Pick<ApiContext, 'baseUrl'> {
  readonly nowMs: number
}

/** The first page of the manifest of a version of the feed. */
export function manifestOf(version: FeedVersion, access: FeedAccess, request: ManifestRequest): JsonBody {
  const [first] = manifestPagesOf(version, access, request)
  if (first === undefined) throw new Error('Cannot show a manifest: it has no pages')
  return first
}

/**
 * The pages of the manifest of a version of the feed, kept with their compressed copies. Of pages that are made again, only the first may
 * differ, in the times of the last syncs.
 */
export function manifestPagesOf(
  version: FeedVersion,
  access: FeedAccess,
  { baseUrl, nowMs }: ManifestRequest,
): readonly JsonBody[] {
  const known = version.manifests.get(access.path)
  if (known !== undefined && Math.abs(nowMs - known.madeAtMs) < PAGES_KEPT_MS) return known.pages
  const pages = makePages(version, access, { baseUrl, path: access.path })
  version.manifests.set(access.path, { pages, madeAtMs: nowMs })
  return pages
}

function makePages(version: FeedVersion, access: FeedAccess, place: FeedPlace): readonly JsonBody[] {
  const entries = entriesOf(version, access, place)
  const { committed } = version.snapshot
  const { variant } = version.files
  const head = manifestHead(place, committed.atMs)
  const pages: JsonBody[] = []
  let from = 0
  do {
    const output = entries.slice(from, from + FEED_PAGE_ENTRIES_MAX)
    from += FEED_PAGE_ENTRIES_MAX
    // The last page begins the chain of updates.
    const next =
      from < entries.length
        ? ({ kind: 'manifest', snapshot: committed, variant, page: pages.length + 2 } as const)
        : ({ kind: 'pending', after: committed } as const)
    const body = Buffer.from(JSON.stringify({ ...head, output, ...linkToNext(place, next) }))
    pages.push({ body, etag: etagOfContent(body), coded: new Map() })
  } while (from < entries.length)
  return pages
}

const PAGES_KEPT_MS = 30_000

/** Some 50 kB. All states of the US are on one page. */
export const FEED_PAGE_ENTRIES_MAX = 200

function entriesOf({ files, sizes, sources }: FeedVersion, access: FeedAccess, place: FeedPlace): object[] {
  const all = [...new Set([...files.states.values()].flat())].sort()
  return files.listed.flatMap((at) => {
    const size = sizes.get(formatFileName(at))
    // The check and clients expect a listed file to have lines.
    if (size?.count === 0) return []
    const file = { type: at.file.type, url: urlOf(at, access, place), count: size?.count, fileSize: size?.bytes }
    // All pages of a manifest have the same elements except their entries, so the times are in an entry.
    if (at.file.type === 'Schedule')
      return { ...file, extension: { state: all, [LAST_SOURCE_SYNC]: files.provenance.lastSyncs(sources) } }
    const states = at.file.type === 'Slot' ? (files.states.get(at.file.state) ?? []) : []
    return states.length === 0 ? file : { ...file, extension: { state: states } }
  })
}

/** The URL of a file of the feed. */
export function urlOf(at: FileAt, { path }: FeedAccess, { baseUrl }: Pick<ApiContext, 'baseUrl'>): string {
  return `${baseUrl}${path}${formatFileName(at)}`
}
