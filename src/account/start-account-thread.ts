import type { Worker } from 'node:worker_threads'
import type { KeyRing } from '../keys/key-ring.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../threads/log-event.ts'
import { type SupervisedThread, superviseThread } from '../threads/supervised-thread.ts'
import { AccountGate, type GateExchange } from './account-gate.ts'
import type { AccountThreadOptions } from './account-thread-options.ts'
import type { FromAccountThread, PlainResponse, Question, ToAccountThread } from './node-port.ts'
import { UsageDrain } from './usage-drain.ts'

/** What the main thread has that the account thread needs. */
export interface AccountParts {
  /** The thread's entry. */
  readonly entry: URL
  readonly keyRing: KeyRing
  readonly meter: UsageMeter
  readonly trustedProxies: number
  /** Answers what only the main thread knows. */
  readonly answer: (question: Question) => PlainResponse
  readonly onEvent: (event: LogEvent) => void
}

/** The thread of the dashboard's own API, as the main thread sees it. */
export interface AccountThread {
  /** Sees to it that a request is answered, now or later. */
  handle(exchange: GateExchange): void
  /** Has the last counts written, then ends the thread. */
  stop(): Promise<void>
}

/** A dashboard that waits for a key's first request is to see it within two seconds. */
const DRAIN_EVERY_MS = 1000
const BODY_MS = 10_000
const ANSWER_MS = 30_000

/**
 * Starts the thread that signs people in and answers the dashboard. Should it die, it is started anew: until then `/api/` is
 * answered 503, and `/v1` as if nothing had happened.
 */
export function startAccountThread(options: AccountThreadOptions, parts: AccountParts): AccountThread {
  const post = (message: ToAccountThread): boolean => thread.post(message)
  const { meter, trustedProxies, onEvent } = parts
  const gate = new AccountGate({ post, trustedProxies, bodyMs: BODY_MS, answerMs: ANSWER_MS })
  const usage = new UsageDrain({ meter, post, onEvent })
  const thread: SupervisedThread = superviseThread(parts.entry, {
    workerData: () => options,
    onEvent,
    attach: (worker) => {
      const takers = { ...parts, gate, usage }
      worker.on('message', (message: FromAccountThread) => take(message, takers, worker))
      worker.on('exit', () => {
        gate.giveUp()
        usage.lost()
      })
    },
  })
  const draining = setInterval(() => usage.drain(), DRAIN_EVERY_MS)
  return {
    handle: (exchange) => gate.handle(exchange),
    async stop() {
      clearInterval(draining)
      await usage.finish()
      await thread.stop()
    },
  }
}

type Takers = AccountParts & { readonly gate: AccountGate; readonly usage: UsageDrain }

type Kind = FromAccountThread['kind']

/** What is done with each kind of message. */
const TAKE: {
  readonly [K in Kind]: (
    message: Extract<FromAccountThread, { kind: K }>,
    takers: Takers,
    worker: Worker,
  ) => void
} = {
  response: ({ id, response }, { gate }) => gate.answer(id, response),
  keys: ({ keys }, { keyRing }) => keyRing.apply(keys),
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
