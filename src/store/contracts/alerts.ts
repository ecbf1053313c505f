import { DAY_MS } from '../../lib/time.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'

/** The health that an alert reports: a problem, `healthy` once it is resolved, or that the source was removed. */
export type AlertedHealth = Exclude<SourceHealth, 'paused' | 'never-synced'> | 'removed'

/** A change of one source's health. */
export interface AlertChange extends OpenAlert {
  /** The publisher's display name. */
  readonly name?: string
  /** The health reported last; `healthy` if none was, or after it was resolved. */
  readonly before: AlertedHealth
  /** When the change happened. */
  readonly sinceMs: number
  /** The reason, without secrets; empty if resolved. */
  readonly why: string
}

/** A reported problem that is not resolved yet. */
export interface OpenAlert {
  readonly sourceId: number
  readonly slug: string
  readonly health: AlertedHealth
}

/** The memory of a node has become full, so that it left slots out, or is no longer. */
export interface NodeAlert {
  readonly node: string
  readonly memory: 'full' | 'ok'
  readonly sinceMs: number
  readonly slots: number
  readonly missingSlots: number
}

/** The subject of a message: changes of sources, or a node. */
export interface AlertContent {
  readonly changes: readonly AlertChange[]
  readonly node?: NodeAlert
}

/** The reports so far. */
export interface AlertState {
  /** Grows with each `record()`. */
  readonly revision: number
  /** When the newest message was created; undefined if none is stored. */
  readonly lastCreatedAtMs?: number
  readonly open: readonly OpenAlert[]
}

/** A message for some channels. */
export interface AlertNotice extends AlertContent {
  /** Names of channels, at least one: see `notifications/alerts/alert-channel.ts`. */
  readonly channels: readonly string[]
  readonly atMs: number
}

/** A message on one channel, until it is delivered or given up. */
export interface AlertMessage extends AlertContent {
  readonly id: number
  /** Unguessable, unique, and the same for each attempt: receivers deduplicate by it. */
  readonly key: string
  readonly channel: string
  readonly createdAtMs: number
  /** How many attempts were begun. */
  readonly attempts: number
}

export interface DueAlertsQuery {
  readonly nowMs: number
  readonly channels: readonly string[]
  /** Messages created before this time are due regardless of their channel and order. */
  readonly createdBeforeMs: number
}

/** The delivery status of a channel, within retention. */
export interface AlertChannelState {
  readonly channel: string
  /** When a message was last delivered. */
  readonly deliveredAtMs?: number
  readonly givenUpAtMs?: number
  /** Messages neither delivered nor given up. */
  readonly waiting: number
  /** The oldest of them. */
  readonly next?: Pick<AlertMessage, 'createdAtMs' | 'attempts'> & { readonly nextAttemptAtMs: number }
}

/** How long ended messages are stored. */
export const ALERT_RETENTION_MS = 7 * DAY_MS

/** Alerts and their transactional outbox: a change and its messages are stored in one transaction and delivered later. */
export interface AlertStore {
  state(): Promise<AlertState>
  /**
   * Stores the changes, and one message per channel, in one transaction. Optimistic concurrency: false, with nothing stored, if
   * the state is no longer at this revision, so that one of several nodes reports a change.
   */
  record(revision: number, notice: AlertNotice): Promise<boolean>
  /** The oldest open message of each channel, if it is due: a channel delivers in order. At most 50. */
  due(query: DueAlertsQuery): Promise<AlertMessage[]>
  /**
   * Claims the next attempt; the message is not due again before `againAtMs`. False if another node claimed it since it was
   * read, or it has ended.
   */
  beginAttempt(message: Pick<AlertMessage, 'id' | 'attempts'>, againAtMs: number): Promise<boolean>
  /** Ends a message: durable when the promise resolves. */
  end(id: number, outcome: 'sent' | 'given-up', atMs: number): Promise<void>
  /** The delivery status of each channel that has messages, by name. */
  channels(): Promise<AlertChannelState[]>
}
