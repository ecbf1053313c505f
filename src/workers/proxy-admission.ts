import type { IncomingMessage } from 'node:http'
import { addressBlock, BlockCounts } from '../lib/network-address.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { hasBody } from './request-body.ts'

/** How many requests of one kind a proxy accepts at once. */
interface PlaceLimits {
  /** Being answered by the dashboard thread. */
  readonly answered: number
  /** With a body that is still to come: each takes at most 64 KiB. */
  readonly read: number
  /** Of those, from one address block. */
  readonly readPerBlock: number
}

/** Requests to the dashboard API. */
export const PEOPLE: PlaceLimits = { answered: 200, read: 1024, readPerBlock: 8 }

/** Requests of callers with an API key, of whom many may share an address. */
export const CALLERS: PlaceLimits = { answered: 100, read: 256, readPerBlock: 32 }

/** Frees a place. Call it once. */
export type Release = () => void

/** The places of one kind of request. A body that is still to come takes none of those of requests that are answered. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #readByBlock = new BlockCounts()
  #answered = 0
  #read = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** A place for a request that is forwarded; undefined if all are taken. */
  answer(): Release | undefined {
    if (this.#answered >= this.#limits.answered) return undefined
    this.#answered++
    return () => this.#answered--
  }

  /** A place for a body that is still to come; undefined if all, or those of the address block, are taken. */
  read(address: string): Release | undefined {
    const block = addressBlock(address)
    const { read, readPerBlock } = this.#limits
    if (this.#read >= read || this.#readByBlock.countOf(block) >= readPerBlock) return undefined
    this.#read++
    this.#readByBlock.add(block)
    return () => {
      this.#read--
      this.#readByBlock.remove(block)
    }
  }
}

/** Requests with a body that need no session: sign-in, sign-up, and what follows a link. A test compares it with the routes. */
const OPEN_ROUTES =
  /^\/api\/(?:auth\/(?:sign-in\/|sign-up\/|passkey\/verify-authentication|verify-email|send-verification-email|two-factor\/verify-|request-password-reset|reset-password|oidc\/backchannel-logout)|invitations\/lookup)/

/** Why a request to the dashboard API is rejected before its body is read; undefined if it is not. */
export function refusalOfBody(request: IncomingMessage): DashboardProblem | undefined {
  if (!isBodyRead(request)) return undefined
  const { cookie = '', 'content-type': type = '' } = request.headers
  if (!/\bsession_token=/.test(cookie) && !OPEN_ROUTES.test(request.url ?? ''))
    return new DashboardProblem('session-required', 'Sign in first.')
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
