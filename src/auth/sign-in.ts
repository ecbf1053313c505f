import { DAY_MS } from '../lib/time.ts'

/** A signed-in user. */
export interface Session {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  /** Two-factor authentication is enabled. */
  readonly twoFactor: boolean
  readonly isOperator: boolean
  /** The time of the sign-in: sensitive changes require it within `RECENT_SIGN_IN_MS`. */
  readonly createdAtMs: number
}

/** The maximum age of a sign-in for sensitive changes. */
export const RECENT_SIGN_IN_MS = DAY_MS

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
