import { DAY_MS } from '../lib/time.ts'
import type { SignInOptions } from '../shared/contract/me.ts'

/** Authentication, as the dashboard API sees it. */
export interface SignIn {
  /** Handles requests below `/api/auth/`. */
  handle(request: Request): Promise<Response>
  /** The session of the request's cookies; undefined without an active one. */
  sessionOf(headers: Headers): Promise<Session | undefined>
  /** Makes the user the operator. */
  claimSetup(token: string, by: { userId: string; address?: string }): Promise<ClaimOutcome>
  /** Creates a link that sets a new password once, within an hour. Undefined if the user does not exist. */
  createResetLink(userId: string): Promise<ResetLink | undefined>
  options(): Promise<SignInOptions>
  /** False for users with only single sign-on or a passkey. */
  hasPassword(userId: string): Promise<boolean>
  /** Deletes the session's user with all sessions and memberships. `confirm` is the email address, typed again. */
  deleteAccount(session: Session, confirm: string): Promise<DeleteOutcome>
}

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

export interface ResetLink {
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
