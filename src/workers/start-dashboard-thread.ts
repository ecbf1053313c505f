import type { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ApiKey } from '../keys/key.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { type FromAccountThread, portsOf, type ToAccountThread } from './dashboard-messages.ts'
import { AccountGate, GATE_LIMITS, type GateExchange, UPLOAD_LIMITS } from './dashboard-proxy.ts'
import { AccountRelay } from './dashboard-relay.ts'
import type { AccountThreadOptions } from './dashboard-thread-options.ts'
import { type SupervisedThread, superviseThread } from './supervised-worker.ts'
import { UsageDrain } from './usage-drain.ts'

/** What the main thread has that the account thread needs. */
export interface AccountParts {
  /** The thread's entry. */
  readonly entry: URL
  /** Where keys take effect: at once, or when the promise resolves. Until then no answer is sent that tells of them. */
  readonly keyRing: { apply(keys: readonly ApiKey[]): Promise<void> | undefined | void }
  readonly meter: UsageMeter
  readonly trustedProxies: number
  /** How large a file may be that is brought. */
  readonly uploadBytesMax: number
  /** Answers what only the main thread knows. */
  readonly answer: (question: NodeQuery) => SerializedResponse
  readonly onEvent: (event: LogEvent) => void
}

/** The thread of the dashboard's own API, as the main thread sees it. */
export interface AccountThread {
  /** Sees to it that a request is answered, now or later. */
  handle(exchange: GateExchange): void
  /** True while a file comes through a socket. */
  isUploading(socket: Duplex): boolean
  /** Has a request answered that another thread of the node has read. */
  ask(request: SerializedRequest, settle: (response: SerializedResponse) => void): void
  /** Has the last counts written, then ends the thread. */
  stop(): Promise<void>
}

/** A dashboard that waits for a key's first request is to see it within two seconds. */
const DRAIN_EVERY_MS = 1000

/**
 * Starts the thread that signs people in and answers the dashboard. Should it die, it is started anew: until then `/api/` is
 * answered 503, and `/v1` as if nothing had happened.
 */
export function startAccountThread(options: AccountThreadOptions, parts: AccountParts): AccountThread {
  const post = (message: ToAccountThread): boolean => thread.post(message, portsOf(message))
  const { meter, trustedProxies, uploadBytesMax, onEvent } = parts
  const upload = { ...UPLOAD_LIMITS, bytesMax: uploadBytesMax }
  const gate = new AccountGate({ post, trustedProxies, ...GATE_LIMITS, upload })
  const relay = new AccountRelay(post)
  const keys = new KeysUnderWay(parts.keyRing)
  const usage = new UsageDrain({ meter, post, onEvent })
  const thread: SupervisedThread = superviseThread(parts.entry, {
    workerData: () => options,
    onEvent,
    attach: (worker) => {
      const takers = { ...parts, gate, relay, keys, usage }
      worker.on('message', (message: FromAccountThread) => take(message, takers, worker))
      worker.on('exit', () => {
        gate.giveUp()
        relay.giveUp()
        usage.lost()
      })
    },
  })
  const draining = setInterval(() => usage.drain(), DRAIN_EVERY_MS)
  return {
    handle: (exchange) => gate.handle(exchange),
    isUploading: (socket) => gate.isUploading(socket),
    ask: (request, settle) => relay.ask(request, settle),
    async stop() {
      clearInterval(draining)
      await usage.finish()
      await thread.stop()
    },
  }
}

type Takers = AccountParts & {
  readonly gate: AccountGate
  readonly relay: AccountRelay
  readonly keys: KeysUnderWay
  readonly usage: UsageDrain
}

type Kind = FromAccountThread['kind']

/** What is done with each kind of message. */
const TAKE: {
  readonly [K in Kind]: (
    message: Extract<FromAccountThread, { kind: K }>,
    takers: Takers,
    worker: Worker,
  ) => void
} = {
  response: ({ id, response }, { gate, relay, keys }) =>
    keys.whenApplied(() => {
      gate.answer(id, response)
      relay.answer(id, response)
    }),
  keys: (message, { keys }) => keys.apply(message.keys),
  ask: ({ id, question }, { answer }, worker) =>
    worker.postMessage({ kind: 'answer', id, answer: answer(question) } satisfies ToAccountThread),
  counted: ({ id }, { usage }) => usage.counted(id),
  uncounted: ({ id, reason }, { usage }) => usage.uncounted(id, reason),
  event: ({ event }, { onEvent }) => onEvent(event),
}

function take<K extends Kind>(
  message: Extract<FromAccountThread, { kind: K }>,
  takers: Takers,
  worker: Worker,
): void {
  TAKE[message.kind as K](message, takers, worker)
}

/** Keys on their way to all threads of the node; an answer that comes after them waits for them. */
class KeysUnderWay {
  readonly #keyRing: AccountParts['keyRing']
  #underWay: Promise<void> | undefined

  constructor(keyRing: AccountParts['keyRing']) {
    this.#keyRing = keyRing
  }

  apply(keys: readonly ApiKey[]): void {
    const applying = this.#keyRing.apply(keys)
    if (!(applying instanceof Promise)) return
    const all = Promise.all([this.#underWay, applying]).then(() => {
      if (this.#underWay === all) this.#underWay = undefined
    })
    this.#underWay = all
  }

  whenApplied(act: () => void): void {
    if (this.#underWay === undefined) act()
    else void this.#underWay.then(act)
  }
}
