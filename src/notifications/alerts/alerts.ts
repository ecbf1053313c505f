import type { LogEvent } from '../../lib/log-event.ts'
import { Periodic } from '../../lib/periodic.ts'
import { errorText } from '../../lib/text.ts'
import { DAY_MS, hasPassed, MINUTE_MS } from '../../lib/time.ts'
import type { AlertChange, AlertMessage } from '../../store/contracts/alerts.ts'
import { type Store, StoreUnavailable } from '../../store/contracts/store.ts'
import { type AlertChannel, AlertRejected, SEND_MS_MAX } from './alert-channel.ts'
import { redactReason } from './alert-messages.ts'
import { CHANGES_MAX, type DueChange, dueChanges, GROUPING_MS, isFlapping } from './alert-rules.ts'
import type { NodeMemory, NodeSlots } from './node-memory.ts'

interface AlertsOptions {
  readonly store: Pick<Store, 'sources' | 'health' | 'alerts'>
  /** At least one. */
  readonly channels: readonly AlertChannel[]
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: LogEvent) => void
  /** The memory of this node, which is reported too; `read` returns undefined while the node cannot tell. */
  readonly node?: { readonly memory: NodeMemory; readonly read: () => Promise<NodeSlots | undefined> } | undefined
}

/** Why a message could not be sent, without secrets. */
interface AlertError {
  readonly atMs: number
  readonly why: string
}

/** How often it checks for changes to report and for messages to send. */
export const CHECK_EVERY_MS = 10_000

/** The pause after the first, second, … attempt of a message; then the last one. Each is longer than an attempt may take. */
const PAUSES_MS = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS)

/** How long a message is retried. */
const GIVE_UP_MS = DAY_MS

/**
 * Alerts about sources whose health changed for long enough, through a transactional outbox: each change is recorded once however
 * many nodes there are, and each message is sent until it is delivered or a day is over.
 *
 *     check ──> due changes ──> record(): one transaction, one node ──> a message for each channel
 *     check ──> oldest message of each channel ──> beginAttempt(): one node ──> send ──> end(), or retry after a pause
 *
 * If a node is killed between `beginAttempt()` and `end()`, the message is due again after the pause. Delivery is at least once; a
 * repeated message has the same id. While the store is unavailable, nothing is recorded or sent.
 */
export class Alerts {
  readonly #options: AlertsOptions
  readonly #stop = new AbortController()
  readonly #errors = new Map<string, AlertError>()
  readonly #loop: Periodic

  constructor(options: AlertsOptions) {
    this.#options = options
    this.#loop = new Periodic(() => this.check(), {
      everyMs: CHECK_EVERY_MS,
      onError: (error) => this.#logCheckError(error),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Aborts webhooks; waits for mails, which cannot be aborted. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop.close()
  }

  /** Why this node's last message to a channel failed; undefined if it was delivered, or nothing was sent. */
  errorOf(channel: string): AlertError | undefined {
    return this.#errors.get(channel)
  }

  /** Records what is due, and sends it. Rejects if the store fails. */
  async check(): Promise<void> {
    await this.#record()
    await this.#recordNode()
    const { store, channels, clock } = this.#options
    const nowMs = clock()
    const due = await store.alerts.due({
      nowMs,
      channels: channels.map(({ name }) => name),
      createdBeforeMs: nowMs - GIVE_UP_MS - PAUSES_MS[PAUSES_MS.length - 1],
    })
    const sent = await Promise.allSettled(due.map((message) => this.#send(message)))
    const failed = sent.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #record(): Promise<void> {
    const { store, channels, clock } = this.#options
    const state = await store.alerts.state()
    const nowMs = clock()
    if (!hasPassed(GROUPING_MS, { sinceMs: state.lastCreatedAtMs ?? 0, nowMs })) return
    const due = await this.#withReasons(dueChanges(await store.sources.overview(), state.open, nowMs), nowMs)
    for (let from = 0, { revision } = state; from < due.length; from += CHANGES_MAX) {
      const changes = due.slice(from, from + CHANGES_MAX)
      const names = channels.map(({ name }) => name)
      if (!(await store.alerts.record(revision, { channels: names, changes, atMs: nowMs }))) return
      revision += names.length
    }
  }

  /** Of each node, and not grouped: it is rare. */
  async #recordNode(): Promise<void> {
    const { store, channels, clock, node } = this.#options
    const slots = await node?.read()
    const alert = slots && node?.memory.due(slots, clock())
    if (alert === undefined) return
    const { revision } = await store.alerts.state()
    const notice = { channels: channels.map(({ name }) => name), changes: [], node: alert, atMs: clock() }
    // Otherwise another node has recorded something: again at the next check.
    if (await store.alerts.record(revision, notice)) node?.memory.noteReported(alert)
  }

  async #withReasons(due: readonly DueChange[], nowMs: number): Promise<AlertChange[]> {
    const { health } = this.#options.store
    const changes: AlertChange[] = []
    for (const change of due) {
      const events = change.health === 'removed' ? [] : await health.ofSource(change.sourceId)
      if (isFlapping(change, events, nowMs)) continue
      const newest = events.at(0)
      changes.push({ ...change, why: newest?.to === change.health ? redactReason(newest.why) : '' })
    }
    return changes
  }

  async #send(message: AlertMessage): Promise<void> {
    const { store, channels, clock } = this.#options
    const channel = channels.find(({ name }) => name === message.channel)
    const pauseMs = PAUSES_MS[Math.min(message.attempts, PAUSES_MS.length - 1)]
    if (!(await store.alerts.beginAttempt(message, clock() + pauseMs))) return
    const error =
      channel === undefined
        ? new Error(`Cannot send alert: no channel named "${message.channel}" is configured`)
        : await this.#attempt(channel, message)
    if (error === undefined) {
      this.#errors.delete(message.channel)
      return store.alerts.end(message.id, 'sent', clock())
    }
    if (this.#stop.signal.aborted) return
    this.#errors.set(message.channel, { atMs: clock(), why: redactReason(error.message) })
    const isOver = error instanceof AlertRejected || clock() - message.createdAtMs >= GIVE_UP_MS
    if (isOver) await store.alerts.end(message.id, 'given-up', clock())
    this.#logFailure(message, { channel, error, isOver })
  }

  async #attempt(channel: AlertChannel, message: AlertMessage): Promise<Error | undefined> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(SEND_MS_MAX)])
    try {
      await channel.send(message, signal)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #logFailure(
    { changes, attempts: tries }: AlertMessage,
    { channel, error, isOver }: { channel: AlertChannel | undefined; error: Error; isOver: boolean },
  ): void {
    this.#options.onEvent({
      level: isOver ? 'error' : 'warn',
      message: isOver ? 'alert was given up' : 'alert could not be sent',
      fields: {
        channel: channel?.shown ?? 'another',
        tries: tries + 1,
        sources: changes.slice(0, 20).map(({ slug, health }) => `${slug}: ${health}`),
        error: redactReason(error.message),
      },
    })
  }

  #logCheckError(error: unknown): void {
    // Reported by the threads that wait for the store.
    if (error instanceof StoreUnavailable) return
    const fields = { error: errorText(error) }
    this.#options.onEvent({ level: 'error', message: 'alerts could not be checked', fields })
  }
}
