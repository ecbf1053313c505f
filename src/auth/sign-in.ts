import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { OperatorRole } from '../shared/permissions.ts'
import type { AccountRemoval } from '../store/contracts/organizations.ts'

/** A signed-in user. */
export interface Session {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  /** Two-factor authentication is enabled. */
  readonly twoFactor: boolean
  /** The account has a password and must set up two-factor authentication before anything else. */
  readonly needsSecondFactor: boolean
  /** Present for operators and viewers of the service. */
  readonly operatorRole?: OperatorRole
  /** When the user last signed in or confirmed their identity: privileged acts require it within `CONFIRMED_MS`. */
  readonly confirmedAtMs: number
}

/** Sessions end this long after their last use; the expiry moves at most once a day. */
export const SESSION_IDLE_MS = 30 * DAY_MS

/** Sessions end this long after the sign-in, however often they are used. */
export const SESSION_MS_MAX = 90 * DAY_MS

/** The same for operators and viewers: a working day. */
export const OPERATOR_SESSION_MS_MAX = 12 * HOUR_MS

/** How long after a sign-in or a confirmation privileged acts are allowed. */
export const CONFIRMED_MS = 15 * MINUTE_MS

/** A link that works once. */
export interface OneTimeLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** `wrong-token`: not the current setup link. `refused`: too many failed attempts from this address. */
export type ClaimOutcome = 'claimed' | 'wrong-token' | 'refused'

export type DeleteOutcome =
  | AccountRemoval
  /** `confirm` is not the user's email address. */
  | { readonly outcome: 'not-confirmed' }
