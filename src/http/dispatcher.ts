// Hot path
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ActiveKey } from '../keys/key-ring.ts'
import type { ApiContext, RequestContext } from './api-context.ts'
import { authenticate, requireActiveOrganization } from './authenticate.ts'
import { clientAddress, isInternalClient } from './client-address.ts'
import { CATALOG_PATH, showApiCatalog } from './discovery/api-catalog.ts'
import { METADATA_PATH, showCapabilityStatement } from './discovery/capability-statement.ts'
import { SECURITY_TXT_PATH, showSecurityTxt } from './discovery/security-txt.ts'
import { notReady, READINESS_PATH, showLive, showReady } from './health.ts'
import { refusalOf } from './key-networks.ts'
import { chooseType } from './negotiation.ts'
import { OpenFeed } from './open-feed/open-feed.ts'
import { refuseMethod, sendPreflight } from './preflight.ts'
import { Problem } from './problem.ts'
import { PublicCounts } from './public-counts.ts'
import { MCP_PATH, sendRelayed } from './relay.ts'
import { isEnded } from './request-batches.ts'
import { originForm, pathOfTarget } from './request-target.ts'
import { ResponseCache } from './response-cache.ts'
import { sendError } from './send-error.ts'
import type { SerializedResponse } from './serialized-http.ts'
import { showFile } from './show-file.ts'
import { withGuess } from './site/guess-page.ts'
import { StatusPage } from './status/status-page.ts'
import { showDocument } from './v1/openapi/document.ts'
import type { OperationMatch } from './v1/operation.ts'
import { matchPath } from './v1/operations.ts'

/** A longer request target is rejected with 414 (RFC 9110, 15.5.15). */
export const TARGET_LENGTH_MAX = 8192

/** Endpoints about the service itself, which need no API key. */
const SERVICE_ENDPOINTS = new Map<string, (request: IncomingMessage, api: ApiContext) => SerializedResponse>([
  ['/openapi.json', showDocument],
  [CATALOG_PATH, showApiCatalog],
  [SECURITY_TXT_PATH, showSecurityTxt],
  [METADATA_PATH, showCapabilityStatement],
  ['/livez', showLive],
  [READINESS_PATH, checkReadiness],
])

/** Those that pages of any origin may read, also conditionally. */
const FOR_ANY_ORIGIN: ReadonlySet<string> = new Set([CATALOG_PATH, SECURITY_TXT_PATH, METADATA_PATH])

/**
 * Handles every HTTP request of a node:
 *
 *     target                           API key   handled by
 *     /v1/…                            yes       an operation of `v1/operations.ts`
 *     /mcp                             yes       the dashboard thread, through `api.relay`
 *     /fhir/$bulk-publish, its files   no        `OpenFeed`, if the operator has opened it
 *     /status, /status.json            no        `StatusPage`, unless the operator has turned it off
 *     /api/…                           no        the dashboard thread, which checks the session
 *     /counts.json                     no        `PublicCounts`, unless the operator has turned it off
 *     a file of the site               no        `show-file.ts`
 *     /openapi.json, /livez, /readyz,
 *     /.well-known/…, /fhir/metadata   no        `SERVICE_ENDPOINTS`
 *     everything else                  no        404
 */
export function createDispatcher(api: ApiContext): RequestListener {
  const v1 = new KeyedRequests(api)
  const openFeed = api.openFeed && new OpenFeed(api, api.openFeed)
  const status = api.readHistory && new StatusPage(api, api.readHistory)
  const counts = api.publicCounts ? new PublicCounts(api) : undefined
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/') === false) request.url = originForm(request.url)
    const requestId = requestIdOf(request)
    const context = { request, response, requestId, problem: undefined, meter: undefined, caller: undefined }
    try {
      requireHost(request)
      const target = request.url ?? '/'
      if (isUnderV1(target) || isMcp(target)) return v1.handle(context, target)
      requireShort(target)
      if (target.startsWith('/api/')) return api.relay(context)
      if (openFeed?.handle(context, target)) return
      response.setHeader('x-request-id', context.requestId)
      if (status?.handle(context, target) || counts?.handle(context, target)) return
      if (!showFile(context, api.site)) handleService(context, pathOfTarget(target), api)
    } catch (error) {
      sendError(error, context, api)
    }
  }
}

/** Handles requests to `/v1` and `/mcp`: authenticates, dispatches and meters them. */
class KeyedRequests {
  readonly #api: ApiContext
  readonly #responses: ResponseCache

  constructor(api: ApiContext) {
    this.#api = api
    this.#responses = new ResponseCache(api)
  }

  /** Throws `Problem('not-ready')` and `Problem('api-key-required')`. */
  handle(context: RequestContext, target: string): void {
    const startedMs = performance.now()
    if (!this.#api.isReady()) throw notReady()
    const nowMs = this.#api.now()
    const key = authenticate(context.request, this.#api, nowMs)
    context.caller = key
    const { meter, rateLimits } = this.#api
    const refusal = refusalOf(key, context.request, this.#api)
    if (refusal !== undefined) {
      sendError(refusal, context, this.#api)
      // The request log shows who tried. The limits of the key are not charged.
      meter.note(key, context, nowMs, microsecondsSince(startedMs))
      return
    }
    try {
      requireActiveOrganization(key, this.#api)
      if (rateLimits !== undefined) rateLimits.take(key, context.response, startedMs)
      requireShort(target)
      if (isMcp(target)) this.#relay(context, MCP_PATH, key)
      else this.#dispatch(context, target, { key, nowMs })
    } catch (error) {
      sendError(error, context, this.#api)
    }
    const endedMs = performance.now()
    if (rateLimits !== undefined) rateLimits.spend(key, endedMs - startedMs, endedMs)
    if (isEnded(context.response)) meter.note(key, context, nowMs, Math.round((endedMs - startedMs) * 1000))
    else meterLater(context, () => meter.note(key, context, nowMs, microsecondsSince(startedMs)))
  }

  #dispatch(context: RequestContext, target: string, by: { key: ActiveKey; nowMs: number }): void {
    const { request } = context
    const match = matchPath(target)
    if (match === undefined) throw notFound(pathOfTarget(target), this.#api)
    const entry = match.byMethod.get(request.method ?? '')
    if (entry === undefined) refuseMethod(context, match.path, match.allow)
    else this.#operate(context, { ...entry, search: match.search, name: match.name }, by)
  }

  #operate(
    context: RequestContext,
    match: OperationMatch,
    by: { readonly key: ActiveKey; readonly nowMs: number },
  ): void {
    const { operation, types } = match
    const { sendRedirect, streams, alsoAccepts } = operation
    const hasType = sendRedirect === undefined && types.length > 0
    const type = hasType ? chooseType(context.request, types, alsoAccepts) : ''
    if (operation.body !== undefined) requireJson(context.request)
    const stream = sendRedirect ?? streams?.[type]
    if (stream !== undefined) stream({ ...match, ...by, allocate: Buffer.allocUnsafeSlow }, context, this.#api)
    else if (operation.read !== undefined) this.#responses.send(context, match, operation.read, by)
    else this.#relay(context, operation.path, by.key)
  }

  #relay(context: RequestContext, operation: string, { id, organizationId }: ActiveKey): void {
    const send = (response: SerializedResponse) => sendRelayed(response, context, this.#api)
    const isAccepted = () => this.#isAccepted(context)
    this.#api.relay({ ...context, operation, caller: { id, organizationId }, isAccepted, send })
  }

  #isAccepted(context: RequestContext): boolean {
    try {
      const key = authenticate(context.request, this.#api, this.#api.now())
      const refusal = refusalOf(key, context.request, this.#api)
      if (refusal !== undefined) throw refusal
      requireActiveOrganization(key, this.#api)
      return true
    } catch (error) {
      sendError(error, context, this.#api)
      return false
    }
  }
}

/** Meters a request once: when its response asks for that, else when it closes, which an aborted one does too. */
function meterLater(context: RequestContext, note: () => void): void {
  context.meter = () => {
    context.response.off('close', note)
    note()
  }
  context.response.once('close', note)
}

function checkReadiness(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const trustedProxies = api.trustedProxies ?? 0
  const isForwarded = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers
  const isInternal = isInternalClient({ address: clientAddress(request, trustedProxies), isForwarded, trustedProxies })
  return showReady({ target: request.url ?? '', isInternal }, api)
}

function handleService(context: RequestContext, path: string, api: ApiContext): void {
  const { request, response } = context
  const show = SERVICE_ENDPOINTS.get(path)
  if (show === undefined) {
    const page = api.site.notFound
    if (page === undefined || !/\btext\/html\b/.test(request.headers.accept ?? '')) throw notFound(path, api)
    const body = withGuess(page.contents.identity.body, api.site.guess?.(path))
    response.writeHead(404, { ...page.headers, 'content-length': body.length }).end(body)
  } else if (isRead(request.method)) {
    if (path === READINESS_PATH && api.relayReadiness !== undefined) {
      api.relayReadiness(context)
      return
    }
    const { status, headers, body } = show(request, api)
    const length = status === 304 ? [] : ['content-length', String(body.length)]
    response.writeHead(status, [...headers.flat(), ...length, 'x-request-id', context.requestId]).end(body)
  } else if (request.method === 'OPTIONS' && FOR_ANY_ORIGIN.has(path))
    sendPreflight(context, { 'access-control-allow-origin': '*' })
  else refuseMethod(context, path)
}

function notFound(path: string, { docsUrl }: ApiContext): Problem {
  const shown = path.slice(0, 100)
  const hint = shown.includes('//') ? ` Use single slashes: ${shown.replaceAll(/\/+/g, '/')}.` : ''
  return new Problem('not-found', `There is nothing at ${shown}.${hint} Documentation: ${docsUrl}`)
}

function microsecondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 1000)
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Distinguishes the ids of this process from those of others. */
const REQUEST_ID_PREFIX = randomBytes(6).toString('hex')
let requestCount = 0

/** The caller's own `X-Request-Id` if it is well-formed, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given
  requestCount = (requestCount + 1) % 0x1_0000_0000
  return `${REQUEST_ID_PREFIX}-${requestCount}`
}

/** A missing body is a fault of its content. */
function requireJson({ headers }: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = headers
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  const isJson = type === undefined ? isEmpty : /^application\/json\s*(?:;|$)/i.test(type)
  if (isJson && coding === 'identity') return
  throw new Problem(
    'unsupported-media-type',
    'Send the body as JSON, with Content-Type: application/json and without Content-Encoding.',
  )
}

/** One, or with HTTP/1.0 none (RFC 9112, 3.2). */
function requireHost({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): void {
  if (headers.host === undefined ? httpVersionMinor === 0 : !isRepeated(rawHeaders, 'host')) return
  const message = 'The request must have exactly one Host header (RFC 9112, 3.2).'
  throw new Problem('malformed-request', message, { headers: { connection: 'close' } })
}

/** Whether a header occurs more than once. `name`: in lower case. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at].length === name.length && rawHeaders[at].toLowerCase() === name) count++
  return count > 1
}

/** Whether a target is MCP. Only the plain notation is, so that no other path passes as relayed. */
function isMcp(target: string): boolean {
  if (!target.startsWith(MCP_PATH)) return false
  return target.length === MCP_PATH.length || target[MCP_PATH.length] === '?' || target === `${MCP_PATH}/`
}

/** In any notation: `matchPath()` decodes the path and resolves dot segments, so the check of the key must do the same. */
function isUnderV1(target: string): boolean {
  if (target.startsWith('/v1/')) return true
  if (!target.includes('/.') && /^\/[\w./-]*(\?|$)/.test(target)) return target === '/v1' || target.startsWith('/v1?')
  return /^\/+v1(\/|$)/.test(
    pathOfTarget(target).replaceAll(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  )
}

function requireShort(target: string): void {
  if (target.length <= TARGET_LENGTH_MAX) return
  throw new Problem(
    'uri-too-long',
    `The request target must be at most ${TARGET_LENGTH_MAX} characters: got ${target.length}.`,
  )
}
