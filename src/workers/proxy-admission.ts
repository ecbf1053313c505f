import type { IncomingMessage } from 'node:http'
import type { RequestContext } from '../http/api-context.ts'
import { clientAddress } from '../http/client-address.ts'
import { pathOfTarget } from '../http/request-target.ts'
import { ownerOf } from '../http/serialized-http.ts'
import { addressBlock } from '../lib/network-address.ts'
import { type Release, SharedPlaces } from '../lib/shared-places.ts'
import { DashboardProblem, sessionRequired } from '../shared/dashboard-problem.ts'
import { hasBody } from './request-body.ts'

/** The places of one kind of request. A body that is still to come takes none of those of requests that are answered. */
interface PlacesOfKind {
  /** For requests that the dashboard thread answers, by organization or address block. */
  readonly answered: SharedPlaces
  /** For bodies that are still to come, of at most 64 KiB each, by address block. */
  readonly bodies: SharedPlaces
}

/** Admits requests to the dashboard thread. Neither those with an API key nor those of the dashboard can keep the others out. */
export class Admission {
  readonly #trustedProxies: number
  readonly #people: PlacesOfKind = { answered: new SharedPlaces(200, 50), bodies: new SharedPlaces(1024, 8) }
  /** For requests that need no session. Most wait for the hash of a password, and must not take the places of signed-in people. */
  readonly #anonymous = new SharedPlaces(200, 50)
  /** Many callers may share an address. */
  readonly #callers: PlacesOfKind = { answered: new SharedPlaces(200, 50), bodies: new SharedPlaces(256, 32) }

  constructor(trustedProxies: number) {
    this.#trustedProxies = trustedProxies
  }

  /** A place for a request that is forwarded. */
  answer(proxied: RequestContext): Release | undefined {
    const owner = ownerOf({ caller: proxied.caller, address: this.#addressOf(proxied) })
    const isOpen = proxied.operation === undefined && OPEN_ROUTES.test(pathOfTarget(proxied.request.url ?? ''))
    return (isOpen ? this.#anonymous : this.#placesOf(proxied).answered).take(owner)
  }

  /** A place for a body that is still to come. */
  readBody(proxied: RequestContext): Release | undefined {
    return this.#placesOf(proxied).bodies.take(addressBlock(this.#addressOf(proxied)))
  }

  #placesOf({ operation }: RequestContext): PlacesOfKind {
    return operation === undefined ? this.#people : this.#callers
  }

  #addressOf({ request }: RequestContext): string {
    return clientAddress(request, this.#trustedProxies)
  }
}

/** Requests with a body that need no session: sign-in, sign-up, and what follows a link. A test compares it with the routes. */
const OPEN_ROUTES =
  /^\/api\/(?:auth\/(?:sign-in\/|sign-up\/|passkey\/verify-authentication|verify-email|send-verification-email|two-factor\/verify-|request-password-reset|reset-password|oidc\/backchannel-logout)|invitations\/lookup)/

/** Why a request to the dashboard API is rejected before its body is read; undefined if it is not. */
export function refusalOfBody(request: IncomingMessage): DashboardProblem | undefined {
  if (!isBodyRead(request)) return undefined
  const { cookie = '', 'content-type': type = '' } = request.headers
  if (!/\bsession_token=/.test(cookie) && !OPEN_ROUTES.test(request.url ?? '')) return sessionRequired()
  if (isUpload(request) || formOf(request.url).test(type)) return undefined
  return new DashboardProblem('unsupported-media-type', 'Send the body as JSON, with Content-Type: application/json.')
}

/** The content type of a body. OpenID providers send logout tokens as a form. */
function formOf(url: string | undefined): RegExp {
  return url === '/api/auth/oidc/backchannel-logout' ? FORM : JSON_TYPE
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Whether the request's body is a file, which is not read whole. */
export function isUpload({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/octet-stream' &&
    /^\/api\/operator\/sources\/[^/?]+\/upload(?:\?|$)/.test(url ?? '')
  )
}

/** The body of GET and HEAD has no meaning (RFC 9110, 9.3.1) and is discarded. */
export function isBodyRead(request: IncomingMessage): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && hasBody(request)
}
