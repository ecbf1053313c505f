import type { OperatorRole } from '../../shared/permissions.ts'
import type { ReviewPolicy, SourceActionKind, SourceFormat } from '../../shared/source-vocabulary.ts'
import type {
  DeliveryStatus,
  SubscriptionEventType,
  SubscriptionReason,
  SubscriptionStatus,
} from '../../shared/subscription-vocabulary.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import type { AlertedHealth } from '../contracts/alerts.ts'
import type { HistorySpan } from '../contracts/open-slot-history.ts'
import { type ColumnType, TABLES } from '../migrations/baseline-tables.ts'
import type { SIGN_IN_TABLES } from '../migrations/sign-in-tables.ts'
import type { SUBSCRIPTION_TABLES } from '../migrations/subscription-tables.ts'

/**
 * The tables, as Kysely sees them: derived from those of the baseline, and of better-auth as far as we use them. What a later
 * migration adds is declared here as well.
 */
export interface Schema extends Omit<BaselineRows, 'api_keys' | 'invitations' | 'organizations'>, SubscriptionRows {
  readonly migrations: { name: string; applied_at_ms: number }
  readonly usage_batches: { meter: string; number: number; stored_at_ms: number }
  readonly users: RowOf<typeof SIGN_IN_TABLES.users> & ActivityColumns & SuspensionColumns & { id: string }
  readonly invitations: BaselineRows['invitations'] & { created_by_id: string | null }
  readonly api_keys: BaselineRows['api_keys'] & { note: string | null; networks: string | null }
  readonly sessions: RowOf<typeof SIGN_IN_TABLES.sessions> & { id: string }
  readonly credentials: RowOf<typeof SIGN_IN_TABLES.credentials> & { id: string }
  readonly verifications: RowOf<typeof SIGN_IN_TABLES.verifications> & { id: string }
  readonly passkeys: RowOf<typeof SIGN_IN_TABLES.passkeys> & { id: string }
  readonly two_factors: RowOf<typeof SIGN_IN_TABLES.two_factors> & { id: string }
  readonly organizations: BaselineRows['organizations'] & SuspensionColumns & { suspension_revision: number | null }
}

interface ActivityColumns {
  last_sign_in_ms: number | null
  /** The first entry of `audit` about a change by another that the person has not dismissed. */
  first_notice_id: number | null
}

/** Present while an organization or an account is suspended. */
export interface SuspensionColumns {
  suspended_at_ms: number | null
  suspended_by: string | null
  suspended_reason: string | null
}

export type AlertMessageRow = Schema['alert_messages']
export type ApiKeyRow = Schema['api_keys']
export type AuditRow = Schema['audit']
export type InvitationRow = Schema['invitations']
export type OpenSlotHistoryRow = Schema['open_slot_history']
export type OrganizationRow = Schema['organizations']
export type RequestLogRow = Schema['request_log']
export type SlotRow = Schema['slots']
export type SourceActionRow = Schema['source_actions']
export type SourceRow = Schema['sources']
export type SubscriptionRow = Schema['subscriptions']
export type SubscriptionEventRow = Schema['subscription_events']
export type SyncRow = Schema['syncs']

/** The columns of `request_log`, in the order of bulk inserts. */
export const LOG_COLUMNS = Object.keys(TABLES.request_log.columns) as (keyof RequestLogRow)[]

/** Columns whose values are narrower than their SQL type. */
interface NarrowColumns {
  alert_messages: { outcome: 'sent' | 'given-up' | null }
  health_events: { previous_health: SourceHealth; health: SourceHealth }
  invitations: { role: 'admin' | 'member' }
  memberships: { role: 'owner' | 'admin' | 'member' }
  operators: { role: OperatorRole }
  open_alerts: { health: AlertedHealth }
  open_slot_history: { span: HistorySpan }
  source_actions: { kind: SourceActionKind }
  sources: { format: SourceFormat; review_policy: ReviewPolicy; health: SourceHealth }
  subscriptions: { status: SubscriptionStatus; status_reason: SubscriptionReason | null }
  subscription_events: { type: SubscriptionEventType; status: DeliveryStatus }
}

type BaselineRows = {
  readonly [Table in keyof typeof TABLES]: RowOf<
    (typeof TABLES)[Table]['columns'],
    Table extends keyof NarrowColumns ? NarrowColumns[Table] : unknown
  >
}

type SubscriptionRows = {
  readonly [Table in keyof typeof SUBSCRIPTION_TABLES]: RowOf<
    (typeof SUBSCRIPTION_TABLES)[Table]['columns'],
    Table extends keyof NarrowColumns ? NarrowColumns[Table] : unknown
  >
}

type RowOf<Columns, Narrow = unknown> = {
  -readonly [Name in keyof Columns]: Name extends keyof Narrow
    ? Narrow[Name]
    : ValueOf<Columns[Name]> | (Columns[Name] extends `${string}?` ? null : never)
}

/** SQLite stores dates as texts and booleans as numbers. */
type ValueOf<Type> = Type extends ColumnType
  ? Type extends `${'integer' | 'source'}${string}`
    ? number
    : Type extends `boolean${string}`
      ? number | boolean
      : Type extends `date${string}`
        ? string | Date
        : string
  : never
