// Hot path

import { redact } from '../lib/redact.ts'
import { LOGGED_PER_DRAIN, type LoggedProblem, type LoggedRequest } from './usage-batch.ts'

/** The parts of a request and its response that are counted and logged. */
export interface MeteredRequest {
  readonly request: {
    readonly method?: string | undefined
    readonly url?: string | undefined
    readonly headers?: {
      readonly 'user-agent'?: string | undefined
      readonly 'x-forwarded-for'?: string | readonly string[] | undefined
    }
    readonly socket?: { readonly remoteAddress?: string | undefined }
  }
  readonly response: { readonly statusCode: number }
  readonly requestId: string
  /** The error that was sent. */
  readonly problem?: LoggedProblem | undefined
}

/** The most characters of each text in the request log: with UTF-8, an entry has at most 4 kB. */
export const LOGGED_LENGTHS = { target: 500, userAgent: 200, message: 400, parameter: 100 } as const

/**
 * Ring buffer of a key's newest requests since the last drain, column by column: request n is in row n mod `LOGGED_PER_DRAIN`. The columns
 * grow as rows are needed: about 60 bytes each, and the texts of their requests.
 */
export class RequestRing {
  #noted = 0
  readonly #atMs: number[] = []
  readonly #durationsUs: number[] = []
  readonly #statuses: number[] = []
  readonly #methods: string[] = []
  readonly #targets: string[] = []
  readonly #requestIds: string[] = []
  readonly #userAgents: (string | undefined)[] = []
  readonly #addresses: (string | undefined)[] = []
  readonly #problems: (LoggedProblem | undefined)[] = []

  /** The number of requests since the last drain. */
  get noted(): number {
    return this.#noted
  }

  note(
    { request, response, requestId, problem }: MeteredRequest,
    atMs: number,
    durationUs: number,
    address: string | undefined,
  ): void {
    const row = this.#noted % LOGGED_PER_DRAIN
    this.#atMs[row] = atMs
    this.#durationsUs[row] = durationUs
    this.#statuses[row] = response.statusCode
    this.#methods[row] = request.method ?? ''
    this.#targets[row] = request.url ?? ''
    this.#requestIds[row] = requestId
    this.#userAgents[row] = request.headers?.['user-agent']
    this.#addresses[row] = address
    this.#problems[row] = problem
    this.#noted++
  }

  /** Moves the newest requests out, at most `max`, oldest first. */
  drain(keyId: string, max: number): LoggedRequest[] {
    const count = Math.min(this.#noted, max, LOGGED_PER_DRAIN)
    const leftOut = this.#noted - count
    const logged: LoggedRequest[] = []
    for (let n = leftOut; n < this.#noted; n++) {
      const row = n % LOGGED_PER_DRAIN
      logged.push({ keyId, ...this.#requestAt(row), leftOut: n === leftOut ? leftOut : 0 })
    }
    this.#release()
    return logged
  }

  /** A caller may send a key in the query, as the id, or anywhere else: none may reach the request log. */
  #requestAt(row: number) {
    const [userAgent, address, problem] = [this.#userAgents[row], this.#addresses[row], this.#problems[row]]
    return {
      atMs: this.#atMs[row],
      method: this.#methods[row],
      target: loggedText(this.#targets[row], LOGGED_LENGTHS.target),
      status: this.#statuses[row],
      durationUs: this.#durationsUs[row],
      requestId: redact(this.#requestIds[row]),
      ...(userAgent !== undefined && { userAgent: loggedText(userAgent, LOGGED_LENGTHS.userAgent) }),
      ...(address !== undefined && { address }),
      ...(problem !== undefined && loggedProblem(problem)),
    }
  }

  /** Keeps the columns, and lets their texts be collected. */
  #release(): void {
    this.#noted = 0
    for (const column of [this.#targets, this.#requestIds]) column.fill('')
    for (const column of [this.#userAgents, this.#addresses, this.#problems]) column.fill(undefined)
  }
}

function loggedProblem({ error, message, parameter }: LoggedProblem): LoggedProblem {
  return {
    error,
    message: loggedText(message, LOGGED_LENGTHS.message),
    ...(parameter !== undefined && { parameter: loggedText(parameter, LOGGED_LENGTHS.parameter) }),
  }
}

/** PostgreSQL stores no NUL, and a message may quote one. A redaction can lengthen a text. */
function loggedText(text: string, lengthMax: number): string {
  return redact(text.slice(0, lengthMax)).slice(0, lengthMax).toWellFormed().replaceAll('\0', '\ufffd')
}
