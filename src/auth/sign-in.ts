import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'

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
  readonly isOperator: boolean
  /** The time of the sign-in: sensitive changes require it within `RECENT_SIGN_IN_MS`. */
  readonly createdAtMs: number
}

/** Sessions end this long after their last use; the expiry moves at most once a day. */
export const SESSION_IDLE_MS = 30 * DAY_MS

/** Sessions end this long after the sign-in, however often they are used. */
export const SESSION_MS_MAX = 90 * DAY_MS

/** The same for operators: a working day. */
export const OPERATOR_SESSION_MS_MAX = 12 * HOUR_MS

/** The maximum age of a sign-in for sensitive changes. */
export const RECENT_SIGN_IN_MS = DAY_MS

/** The same for operations marked `recentSignIn` in the contract. */
export const PRIVILEGED_SIGN_IN_MS = 15 * MINUTE_MS

/** A link that works once. */
export interface OneTimeLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** `wrong-token`: not the current setup link. `refused`: too many failed attempts from this address. */
export type ClaimOutcome = 'claimed' | 'wrong-token' | 'refused'

export type DeleteOutcome =
  | { readonly outcome: 'deleted' }
  /** `confirm` is not the user's email address. */
  | { readonly outcome: 'not-confirmed' }
  /** The sign-in is older than `RECENT_SIGN_IN_MS`. */
  | { readonly outcome: 'not-fresh' }
  /** The names of the user's own organizations: each must be transferred or deleted first. */
  | { readonly outcome: 'owner'; readonly organizations: readonly string[] }
