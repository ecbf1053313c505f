import type { LogEvent } from '../../lib/log-event.ts'
import { errorText } from '../../lib/text.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import type { AlertChange, AlertMessage } from '../../store/contracts/alerts.ts'
import { type Store, StoreUnavailable } from '../../store/contracts/store.ts'
import { type AlertWay, SEND_MS_MAX, Unacceptable } from './alert-channel.ts'
import { tellableWhy } from './alert-messages.ts'
import { CHANGES_MAX, type DueChange, dueChanges, GATHER_MS, isRestless } from './alert-rules.ts'

/** What tells of sources in trouble. */
export interface AlertsParts {
  readonly store: Pick<Store, 'sources' | 'health' | 'alerts'>
  /** At least one. */
  readonly ways: readonly AlertWay[]
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** Why something could not be sent, without secrets. */
export interface AlertFault {
  readonly atMs: number
  readonly why: string
}

/** How often it looks whether there is something to tell, or to send again. */
export const LOOK_EVERY_MS = 10_000

/** The pause after the first, second, … try of a message; the last then stays. None is shorter than a try may take. */
const PAUSES_MS = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS)

/** For how long a message is sent again. */
export const GIVE_UP_MS = DAY_MS

/**
 * Tells of sources whose health has changed for long enough, each change once however many nodes there are, and sends what was
 * told until it has arrived or a day is over.
 *
 *     look ──> due changes ──> tell(): one transaction, one node ──> a message for each way
 *     look ──> oldest message of each way ──> begin(): one node ──> send ──> end(), or again after a pause
 *
 * A node that is killed between `begin()` and `end()` leaves a message that is due again after the pause. If it had arrived, it
 * arrives twice, with the same id. While the store is away nothing is told; what was told stays.
 */
export class Alerts {
  readonly #parts: AlertsParts
  readonly #stop = new AbortController()
  readonly #faults = new Map<string, AlertFault>()
  #looking: Promise<void> | undefined
  #wake = () => {}

  constructor(parts: AlertsParts) {
    this.#parts = parts
  }

  start(): void {
    this.#looking ??= this.#run()
  }

  /** Ends webhooks that are under way; waits for a mail, which cannot be taken back. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#looking
  }

  /** What went wrong when this node last sent something by a way; undefined if it arrived, or nothing was sent. */
  faultOf(way: string): AlertFault | undefined {
    return this.#faults.get(way)
  }

  /** One look. Rejects if the store fails. */
  async look(): Promise<void> {
    await this.#tell()
    const { store, ways, clock } = this.#parts
    const nowMs = clock()
    const due = await store.alerts.due({
      nowMs,
      channels: ways.map(({ name }) => name),
      createdBeforeMs: nowMs - GIVE_UP_MS - PAUSES_MS[PAUSES_MS.length - 1],
    })
    const sent = await Promise.allSettled(due.map((message) => this.#send(message)))
    const failed = sent.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #tell(): Promise<void> {
    const { store, ways, clock } = this.#parts
    const told = await store.alerts.state()
    const nowMs = clock()
    if (nowMs - (told.lastCreatedAtMs ?? 0) < GATHER_MS) return
    const due = await this.#withReasons(dueChanges(await store.sources.overview(), told.open, nowMs), nowMs)
    for (let from = 0, { revision } = told; from < due.length; from += CHANGES_MAX) {
      const changes = due.slice(from, from + CHANGES_MAX)
      const names = ways.map(({ name }) => name)
      if (!(await store.alerts.record(revision, { channels: names, changes, atMs: nowMs }))) return
      revision += names.length
    }
  }

  async #withReasons(due: readonly DueChange[], nowMs: number): Promise<AlertChange[]> {
    const { health } = this.#parts.store
    const changes: AlertChange[] = []
    for (const change of due) {
      const events = change.health === 'removed' ? [] : await health.ofSource(change.sourceId)
      if (isRestless(change, events, nowMs)) continue
      const newest = events.at(0)
      changes.push({ ...change, why: newest?.to === change.health ? tellableWhy(newest.why) : '' })
    }
    return changes
  }

  async #send(message: AlertMessage): Promise<void> {
    const { store, ways, clock } = this.#parts
    const way = ways.find(({ name }) => name === message.channel)
    const pauseMs = PAUSES_MS[Math.min(message.attempts, PAUSES_MS.length - 1)]
    if (!(await store.alerts.beginAttempt(message, clock() + pauseMs))) return
    const fault = way === undefined ? new Error(NOT_CONFIGURED) : await this.#try(way, message)
    if (fault === undefined) {
      this.#faults.delete(message.channel)
      return store.alerts.end(message.id, 'sent', clock())
    }
    if (this.#stop.signal.aborted) return
    this.#faults.set(message.channel, { atMs: clock(), why: tellableWhy(fault.message) })
    const isOver = fault instanceof Unacceptable || clock() - message.createdAtMs >= GIVE_UP_MS
    if (isOver) await store.alerts.end(message.id, 'given-up', clock())
    this.#note(message, { way, fault, isOver })
  }

  async #try(way: AlertWay, message: AlertMessage): Promise<Error | undefined> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(SEND_MS_MAX)])
    try {
      await way.send(message, signal)
      return undefined
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }

  #note(
    { changes, attempts: tries }: AlertMessage,
    { way, fault, isOver }: { way: AlertWay | undefined; fault: Error; isOver: boolean },
  ): void {
    this.#parts.onEvent({
      level: isOver ? 'error' : 'warn',
      message: isOver ? 'alert was given up' : 'alert could not be sent',
      fields: {
        way: way?.shown ?? 'another',
        tries: tries + 1,
        sources: changes.slice(0, 20).map(({ slug, health }) => `${slug}: ${health}`),
        error: tellableWhy(fault.message),
      },
    })
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        await this.look()
      } catch (error) {
        this.#noteFault(error)
      }
      await this.#pause()
    }
  }

  /** That the store is away is told by those who wait for it. */
  #noteFault(error: unknown): void {
    if (error instanceof StoreUnavailable) return
    const fields = { error: errorText(error) }
    this.#parts.onEvent({ level: 'error', message: 'alerts could not be looked after', fields })
  }

  #pause(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const NOT_CONFIGURED = 'Cannot send alert: its way must be configured: got "none of this name"'
