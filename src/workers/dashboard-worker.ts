import type { OpenSignIn } from '../auth/open-sign-in.ts'
import { rejection } from '../http/rejection.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { errorText } from '../lib/text.ts'
import { internalError, storeUnavailable } from '../shared/dashboard-problem.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { seenUnavailability, trackUnavailability } from '../store/sql/store-availability.ts'
import type { FromAccountThread, ToAccountThread } from './dashboard-messages.ts'
import type { Questions } from './node-queries.ts'
import { pathToShow, plainOf, requestOf } from './plain-http.ts'

export interface WorkerParts {
  readonly store: Pick<Store, 'usage'>
  readonly signIn: Pick<OpenSignIn, 'renew'>
  readonly app: { fetch(request: Request): Response | Promise<Response> }
  readonly questions: Questions
  /** Answers what has an `operation`. */
  operate(request: SerializedRequest): Promise<SerializedResponse>
  /** The dashboard's. */
  readonly origin: string
  post(message: FromAccountThread): void
}

/** Does what the other thread asks for, everything at once: who waits for the disk holds up nobody else. */
export class AccountWorker {
  readonly #parts: WorkerParts
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  take(message: ToAccountThread): void {
    if (message.kind === 'answer') this.#parts.questions.answer(message.id, message.answer)
    else if (message.kind === 'request') this.#follow(this.#answer(message))
    else this.#follow(this.#count(message))
  }

  /** Resolves when all that was taken is done. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #follow(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  async #answer({ id, request }: { id: number; request: SerializedRequest }): Promise<void> {
    const answer =
      request.operation === undefined ? this.#answerPerson(request) : this.#parts.operate(request)
    const response = await answer.catch((error: unknown) => this.#fault(error, request))
    this.#parts.post({ kind: 'response', id, response })
  }

  async #answerPerson(request: SerializedRequest): Promise<SerializedResponse> {
    return plainOf(await trackUnavailability(() => this.#respondOrRefuse(request)))
  }

  /** The sign-in library has answers of its own to a database that is away: that a password was wrong, or that all is broken. */
  async #respondOrRefuse(request: SerializedRequest): Promise<Response> {
    const response = await this.#respond(request).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable) && seenUnavailability() === undefined) throw error
    })
    if (response !== undefined && (response.status < 400 || seenUnavailability() === undefined))
      return response
    return storeUnavailable().toResponse()
  }

  async #respond(plain: SerializedRequest): Promise<Response> {
    if (UNSPEAKABLE.has(plain.method)) return new Response(null, { status: 405 })
    const request = requestOf(plain, this.#parts.origin)
    const response = await this.#parts.app.fetch(request)
    // Whoever opens the dashboard asks this first: the session lives on for as long as it is used.
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/api/me' || !response.ok)
      return response
    const renewed = new Response(response.body, response)
    for (const cookie of await this.#parts.signIn.renew(request.headers)) {
      renewed.headers.append('set-cookie', cookie)
    }
    return renewed
  }

  async #count({ id, batch }: Extract<ToAccountThread, { kind: 'usage' }>): Promise<void> {
    try {
      await this.#parts.store.usage.add(batch)
      this.#parts.post({ kind: 'counted', id })
    } catch (error) {
      const reason = error instanceof StoreUnavailable ? undefined : String(error)
      this.#parts.post({ kind: 'uncounted', id, ...(reason !== undefined && { reason }) })
    }
  }

  #fault(error: unknown, request: SerializedRequest): SerializedResponse {
    const { method, target, requestId } = request
    const fields = { error: errorText(error), method, path: pathToShow(target), requestId }
    this.#parts.post({
      kind: 'event',
      event: { level: 'error', message: 'dashboard request failed', fields },
    })
    return rejection(request, 'internal-error', internalError().message)
  }
}

/** The Fetch standard has no requests with these. */
const UNSPEAKABLE = new Set(['CONNECT', 'TRACE', 'TRACK'])
