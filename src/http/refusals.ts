import type { LogEvent } from '../lib/log-event.ts'
import { addressBlock } from '../lib/network-address.ts'
import { defined } from '../lib/optional.ts'
import type { ApiContext } from './api-context.ts'
import { clientAddress } from './client-address.ts'

/** A request that was refused, and by whom it was sent. */
export interface Refusal {
  readonly status: number
  /** The problem's title or code: one of a small set. */
  readonly reason: string
  readonly address: string
  readonly authorization?: string | undefined
}

/** The message of the event that reports refusals. */
export const REQUESTS_REFUSED = 'requests were refused'

const FLUSH_MS = 1000

/** Bounds memory and events under a flood from many addresses. */
const SOURCES_MAX = 100

/**
 * Collects the refusals of a thread by reason, key prefix and address block, and reports them at most once a second. Requests
 * that succeed never come here.
 */
export class Refusals {
  readonly #onEvent: (event: LogEvent) => void
  readonly #pending = new Map<string, { fields: Omit<Refusal, 'authorization'>; count: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(onEvent: (event: LogEvent) => void) {
    this.#onEvent = onEvent
  }

  note({ status, reason, address, authorization }: Refusal): void {
    const isFull = this.#pending.size >= SOURCES_MAX
    const keyPrefix = keyPrefixOf(authorization)
    const source = isFull ? { address: 'others' } : { address: addressBlock(address), ...defined({ keyPrefix }) }
    const fields = { status, reason, ...source }
    const name = Object.values(fields).join(' ')
    const known = this.#pending.get(name)
    if (known !== undefined) known.count++
    else this.#pending.set(name, { fields, count: 1 })
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  #flush(): void {
    this.#timer = undefined
    for (const { fields, count } of this.#pending.values()) {
      this.#onEvent({ level: 'warn', message: REQUESTS_REFUSED, fields: { ...fields, count } })
    }
    this.#pending.clear()
  }
}

/** The `onRefusal` of an API context. */
export function refusalReporter(refusals: Refusals, trustedProxies: number): NonNullable<ApiContext['onRefusal']> {
  return (request, problem) => {
    const key = request.headers.authorization ?? request.headers['x-api-key']
    const address = clientAddress(request, trustedProxies)
    refusals.note({ ...problem, address, authorization: Array.isArray(key) ? key[0] : key })
  }
}

/** Four of 43 random characters identify a leaked key to its owner, and do not help to guess it. */
function keyPrefixOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /svc_sk_([0-9A-Za-z]{4})/.exec(authorization)?.[1]
}

/** Lines in the log per minute, for all threads together. */
const LINES_PER_MINUTE = 30

/** Counts the refusals of all threads of a node, and passes a sample of their events on to the log. */
export class RefusalCounters {
  readonly #counts = new Map<string, { status: string; reason: string; count: number }>()
  readonly #now: () => number
  #minute = 0
  #lines = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** True if the event should be logged. */
  note({ fields: { status, reason, count } }: LogEvent): boolean {
    const known = this.#counts.get(`${status} ${reason}`)
    if (known === undefined)
      this.#counts.set(`${status} ${reason}`, { status: `${status}`, reason: `${reason}`, count: Number(count) })
    else known.count += Number(count)
    const minute = Math.floor(this.#now() / 60_000)
    if (minute !== this.#minute) this.#lines = 0
    this.#minute = minute
    return ++this.#lines <= LINES_PER_MINUTE
  }

  counts(): Iterable<{ status: string; reason: string; count: number }> {
    return this.#counts.values()
  }
}
