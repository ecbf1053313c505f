import { DAY_MS } from '../lib/time.ts'
import type { SignInOptions } from '../shared/contract/me.ts'

/** Signs people in, and knows who they are: all that the dashboard's own API may know of it. */
export interface SignIn {
  /** Answers whatever lies under `/api/auth/`. */
  handle(request: Request): Promise<Response>
  /** Whose session the cookies of a request name; undefined without one, or with one that has ended. */
  sessionOf(headers: Headers): Promise<Session | undefined>
  /** Makes the person the operator. False if the token is not that of the setup link, or was used. */
  claimSetup(token: string, by: { userId: string; address?: string }): Promise<ClaimOutcome>
  /** A link by which the person sets a new password, once, within an hour. Undefined if there is no such person. */
  makeResetLink(userId: string): Promise<ResetLink | undefined>
  options(): Promise<SignInOptions>
  /** False for whoever came by another provider, or by a passkey alone. */
  hasPassword(userId: string): Promise<boolean>
  /** Deletes the session's person, with all sessions and memberships. `confirm` is the e-mail address typed again. */
  deleteAccount(session: Session, confirm: string): Promise<DeleteOutcome>
}

/** Who makes a request. */
export interface Session {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly emailConfirmed: boolean
  /** A second factor is asked for at sign-in. */
  readonly twoFactor: boolean
  readonly isOperator: boolean
  /** When the person signed in: what is dangerous asks for this to be less than `FRESH_MS_MAX` ago. */
  readonly createdAtMs: number
}

/** How old a sign-in may be for what cannot be undone. */
export const FRESH_MS_MAX = DAY_MS

export interface ResetLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** `refused`: too many wrong tokens came from this address lately. */
export type ClaimOutcome = 'claimed' | 'wrong-token' | 'refused'

export type DeleteOutcome =
  | { readonly outcome: 'deleted' }
  /** `confirm` is not the person's address. */
  | { readonly outcome: 'not-confirmed' }
  /** The sign-in is older than `FRESH_MS_MAX`. */
  | { readonly outcome: 'not-fresh' }
  /** The names of the organizations that the person owns: each must be transferred or deleted first. */
  | { readonly outcome: 'owner'; readonly organizations: readonly string[] }
