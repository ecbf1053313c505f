import { DAY_MS } from '../../lib/time.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'

/** What an alert says a source is: a health that means trouble, `healthy` once that is over, or that it is gone. */
export type AlertedHealth = Exclude<SourceHealth, 'paused' | 'never-synced'> | 'removed'

/** One thing that an alert tells of one source. */
export interface AlertChange {
  readonly sourceId: number
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  readonly health: AlertedHealth
  /** What was told of it before; `healthy` if nothing was, or the all-clear. */
  readonly before: AlertedHealth
  /** Since when it is so. */
  readonly sinceMs: number
  /** Without secrets; empty for an all-clear. */
  readonly why: string
}

/** A source of which trouble was told, and no all-clear yet. */
export interface OpenAlert {
  readonly sourceId: number
  readonly slug: string
  readonly health: AlertedHealth
}

/** All that was told, at one moment. */
export interface AlertState {
  /** Moves with each `tell()`. */
  readonly revision: number
  /** When the newest message was made; undefined if none is remembered. */
  readonly lastCreatedAtMs?: number
  readonly open: readonly OpenAlert[]
}

/** What is to be told, by each of some ways. */
export interface AlertNotice {
  /** Names of ways, at least one: see `alerts/alert-way.ts`. */
  readonly channels: readonly string[]
  readonly changes: readonly AlertChange[]
  readonly atMs: number
}

/** What goes one way, until it has arrived or is given up. */
export interface AlertMessage {
  readonly id: number
  /** Unguessable, never used twice, and the same with each try: by it a receiver tells a repetition. */
  readonly key: string
  readonly channel: string
  readonly changes: readonly AlertChange[]
  readonly createdAtMs: number
  /** How often somebody has begun to send it. */
  readonly attempts: number
}

/** Which messages are asked for. */
export interface DueAlertsQuery {
  readonly nowMs: number
  readonly channels: readonly string[]
  /** Those made before this time are due whatever their way and their turn. */
  readonly createdBeforeMs: number
}

/** How one way does, as far back as messages are remembered. */
export interface AlertChannelState {
  readonly channel: string
  /** When a message last arrived. */
  readonly deliveredAtMs?: number
  /** When one was last given up. */
  readonly givenUpAtMs?: number
  /** Messages that have neither arrived nor been given up. */
  readonly waiting: number
  /** The oldest of those. */
  readonly next?: Pick<AlertMessage, 'createdAtMs' | 'attempts'> & { readonly nextAttemptAtMs: number }
}

/** How long the store remembers a message that has ended. */
export const ALERT_RETENTION_MS = 7 * DAY_MS

/** What was told of sources, and what is on its way. */
export interface AlertStore {
  state(): Promise<AlertState>
  /**
   * Notes what is told and puts a message for each way, in one transaction. False, and nothing is noted, if somebody told
   * something since that revision: so of all who decide by the same state, one tells.
   */
  record(revision: number, telling: AlertNotice): Promise<boolean>
  /** Of each way the oldest message that has not ended, if its time has come: a way is gone in order. At most 50. */
  due(which: DueAlertsQuery): Promise<AlertMessage[]>
  /**
   * Begins a try; nobody else is told of the message before `againAtMs`, and then only if it has not ended. False if
   * somebody else began one since it was read, or ended it.
   */
  beginAttempt(message: Pick<AlertMessage, 'id' | 'attempts'>, againAtMs: number): Promise<boolean>
  /** It has arrived, or is given up: on the disk before the promise resolves. */
  end(id: number, outcome: 'sent' | 'given-up', atMs: number): Promise<void>
  /** How each way does by which there was something to tell, by its name. */
  channels(): Promise<AlertChannelState[]>
}
