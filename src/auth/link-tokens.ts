import { hash, randomBytes } from 'node:crypto'
import { isObject } from '../lib/json.ts'
import { HOUR_MS } from '../lib/time.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import type { OneTimeLink } from './sign-in.ts'

/** How long verification and reset links work. */
export const LINK_MS = HOUR_MS

/** The prefix of tokens in an operator's reset links, which prove nothing about an email address. */
const OPERATOR_PREFIX = 'by-operator-'

/** The stored form of a secret token. SHA-256 without salt is enough for 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

export function isOperatorToken(token: string): boolean {
  return token.startsWith(OPERATOR_PREFIX)
}

/** Creates a link that sets a new password once, within `LINK_MS`. Undefined if the user does not exist. */
export async function createResetLink(
  options: { holder: BetterAuthHolder; dashboardUrl: string },
  userId: string,
): Promise<OneTimeLink | undefined> {
  const { internalAdapter } = await options.holder.current.$context
  if ((await internalAdapter.findUserById(userId)) === null) return undefined
  const token = OPERATOR_PREFIX + randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + LINK_MS)
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt,
  })
  const link = new URL(`/app/reset-password#${token}`, options.dashboardUrl).href
  return { link, expiresAtMs: expiresAt.getTime() }
}

/** The claims of a verification link: the user's email address, and a new one if it changes. */
export interface VerificationClaims {
  readonly email: string
  readonly updateTo?: string
}

/** Reads a verification token without checking its signature, which better-auth does. Undefined for other tokens. */
export function readVerificationToken(token: string): VerificationClaims | undefined {
  const { email, updateTo } = readClaims(token) ?? {}
  if (typeof email !== 'string') return undefined
  return { email, ...(typeof updateTo === 'string' && { updateTo }) }
}

/** Reads the claims of a JSON Web Token without checking its signature: only for tokens that are verified elsewhere. */
export function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return isObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
