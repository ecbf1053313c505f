import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import type { FairCaller } from '../../fair-queue.ts'
import { FHIR_JSON_TYPE } from '../../fhir-outcome.ts'
import { etagOfContent, JSON_TYPE } from '../../negotiation.ts'
import { Problem } from '../../problem.ts'
import { sendRelayed } from '../../relay.ts'
import { sendError } from '../../send-error.ts'
import { compress, sendJson } from '../../send-json.ts'
import type { SerializedResponse } from '../../serialized-http.ts'
import { EXAMPLE_UPDATE_PAGE } from '../openapi/examples.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation, StreamRequest } from '../operation.ts'
import { FEED_PATH, type FeedAccess, keyedAccess } from './feed-access.ts'
import { FEED_FILE_CONTENT, FEED_FILE_PARAMETERS, FEED_MEDIA_TYPES, FEED_PAGE_PARAMETERS } from './feed-formats.ts'
import { respondWithFile } from './immutable-file.ts'
import { linkToNext, manifestHead } from './manifest-parts.ts'
import { manifestPagesOf } from './show-manifest.ts'
import {
  type ManifestPageName,
  noSuchUpdate,
  parseUpdateFile,
  parseUpdatePage,
  UPDATE_FILES_FOLDER,
  UPDATES_FOLDER,
  updateEnd,
} from './update-names.ts'

/** GET /v1/fhir/updates/{page}: a page of the chain of updates. */
export const showUpdatePage: Operation = {
  path: `${FEED_PATH}${UPDATES_FOLDER}{page}`,
  id: 'showUpdatePage',
  summary: 'Show a page of updates of the feed',
  description:
    'Returns a page of the chain that the manifest begins: of its files if there are more than 200, then of updates. Follow `next` until it is `#pending`, and request that page again later; it then links to an update, whose files add, change and delete resources. `#closed`: read the feed again from its manifest.',
  pathParameter: {
    name: 'page',
    description: 'The page name in `next`.',
    schema: { type: 'string', pattern: '^[0-9a-z.~]+\\.json$' },
    example: '7x2k9v0a.1c.json',
  },
  parameters: FEED_PAGE_PARAMETERS,
  content: jsonContent('UpdatePage', EXAMPLE_UPDATE_PAGE),
  alsoAccepts: [FHIR_JSON_TYPE],
  headers: ['ETag', 'Cache-Control', 'Vary'],
  problems: ['invalid-parameter', 'not-found', 'gone'],
  streams: { [JSON_TYPE]: (request, context, api) => sendPage(keyed(request, api), context, api) },
}

/** GET /v1/fhir/update-files/{updateFile}: a file of an update. */
export const showUpdateFile: Operation = {
  path: `${FEED_PATH}${UPDATE_FILES_FOLDER}{updateFile}`,
  id: 'showUpdateFile',
  summary: 'Read a file of an update of the feed',
  description:
    'Returns a file that a page of updates lists: resources that are new or changed, or Bundles of deletions, one per line. Its content never changes. One range of bytes can be requested.',
  pathParameter: {
    name: 'updateFile',
    description: 'The file name on the page of updates.',
    schema: { type: 'string', pattern: '^[A-Za-z]+~[0-9a-z.~]+\\.ndjson$' },
    example: 'Slot~7x2k9v0a.1c~1e~k3x0.ndjson',
  },
  parameters: FEED_FILE_PARAMETERS,
  content: FEED_FILE_CONTENT,
  alsoAccepts: [FHIR_JSON_TYPE],
  headers: ['ETag', 'Cache-Control', 'Vary', 'Accept-Ranges'],
  redirect: {
    status: 307,
    description:
      'A publisher in the file has another address now. `Location` is the URL of the file with that address.',
  },
  problems: ['invalid-parameter', 'not-found', 'gone', 'range-not-satisfiable'],
  streams: Object.fromEntries(
    FEED_MEDIA_TYPES.map((type) => [
      type,
      (request, context, api) => sendUpdateFile({ ...keyed(request, api), type }, context, api),
    ]),
  ),
}

/** A request for a page or file. */
export interface UpdateRequest {
  readonly name: string
  readonly search: string
  readonly nowMs: number
  readonly caller: FairCaller
  readonly access: FeedAccess
}

function keyed({ name, search, nowMs, key }: StreamRequest, { exports }: ApiContext): UpdateRequest {
  return {
    name,
    search,
    nowMs,
    caller: { id: key.id, organizationId: key.organizationId },
    access: keyedAccess(exports),
  }
}

/** Pages that wait for an update are answered from memory, because they are polled; the others by the dashboard thread. */
export function sendPage(request: UpdateRequest, context: RequestContext, api: ApiContext): void {
  parseParameters(request.search, FEED_PAGE_PARAMETERS, {})
  const page = parseUpdatePage(request.name)
  if (page === undefined) throw noSuchUpdate(request.name)
  const { access } = request
  if (page.kind === 'manifest') {
    sendManifestPage(page, request, { context, api })
    return
  }
  const caching = `${access.cacheability}, max-age=10`
  if (page.kind === 'pending') {
    const place = { baseUrl: api.baseUrl, path: access.path }
    const { after } = page
    const { store, revision, atMs } = api.feedVersions.updatesUntil(request.nowMs, after)
    const isPending = after.revision >= revision
    const until = updateEnd(after.revision, revision)
    const next = isPending ? '#pending' : ({ kind: 'update', after, until, page: 1 } as const)
    const link = linkToNext(place, after.store === store ? next : '#closed')
    const body = Buffer.from(JSON.stringify({ ...manifestHead(place, atMs), output: [], ...link }))
    sendJson(context, { body, etag: etagOfContent(body) }, cachingLines(caching, context))
    return
  }
  relay(request, { context, api, folder: UPDATES_FOLDER }, (response) => {
    const headers = response.headers.filter(([name]) => name !== 'cache-control')
    sendRelayed({ ...response, headers: [...headers, ['cache-control', caching]] }, context, api)
  })
}

/** A page of the manifest of a version that is kept. It never changes. */
function sendManifestPage(
  name: ManifestPageName,
  { name: text, access, nowMs }: UpdateRequest,
  { context, api }: Pick<Relay, 'context' | 'api'>,
): void {
  const version = api.feedVersions.findManifest(name)
  version?.touch()
  const page = version && manifestPagesOf(version, access, { baseUrl: api.baseUrl, nowMs })[name.page - 1]
  if (page === undefined)
    throw new Problem(
      'gone',
      `The page "${clip(text)}" of a manifest is no longer available. Read the manifest from its first page again.`,
    )
  // Checks of feeds expect at most an hour of a page.
  const caching = `${access.cacheability}, max-age=3600, immutable`
  sendJson(context, page, cachingLines(caching, context))
}

function cachingLines(caching: string, { requestId }: RequestContext): string {
  return `Cache-Control: ${caching}\r\nX-Request-Id: ${requestId}\r\n`
}

/** Sends a file of an update as `type`. */
export function sendUpdateFile(
  request: UpdateRequest & { readonly type: string },
  context: RequestContext,
  api: ApiContext,
): void {
  parseParameters(request.search, FEED_FILE_PARAMETERS, {})
  if (parseUpdateFile(request.name) === undefined) throw noSuchUpdate(request.name)
  relay(request, { context, api, folder: UPDATE_FILES_FOLDER }, (response) => {
    sendFile(response, { type: request.type, cacheability: request.access.cacheability }, context)
  })
}

interface Relay {
  readonly context: RequestContext
  readonly api: ApiContext
  readonly folder: typeof UPDATES_FOLDER | typeof UPDATE_FILES_FOLDER
}

function relay(
  { caller, access }: UpdateRequest,
  { context, api, folder }: Relay,
  onSuccess: (response: SerializedResponse) => void,
): void {
  const send = (response: SerializedResponse) => {
    if (context.response.destroyed || context.response.headersSent) return
    try {
      if (response.status === 200) onSuccess(response)
      else sendRelayed(response, context, api)
    } catch (error) {
      sendError(error, context, api)
    }
  }
  api.relay({ ...context, operation: access.path + folder, caller, send })
}

function sendFile(
  { headers: relayed, body: bytes }: SerializedResponse,
  file: { readonly type: string; readonly cacheability: FeedAccess['cacheability'] },
  context: RequestContext,
): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const etag = relayed.find(([name]) => name === 'etag')?.[1] ?? ''
  const sent = respondWithFile(context, { ...file, etag, bytes: body.length, codings: ['gzip'] })
  if (sent === undefined) return
  const { request, response } = context
  const { status, headers, range, coding } = sent
  if (coding === undefined) response.writeHead(status, headers).end(range ? body.subarray(range.from, range.to) : body)
  else if (request.method === 'HEAD') response.writeHead(status, [...headers, 'Content-Encoding', coding]).end()
  else
    compress[coding](body, (error, coded) => {
      const length = ['Content-Encoding', coding, 'Content-Length', String(coded?.length)]
      if (error === null) response.writeHead(status, [...headers, ...length]).end(coded)
      else response.destroy(error)
    })
}
