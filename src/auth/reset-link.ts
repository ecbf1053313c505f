import { randomBytes } from 'node:crypto'
import { LINK_MS } from './better-auth.ts'
import type { LibraryHolder } from './better-auth-holder.ts'
import type { ResetLink } from './sign-in.ts'

/** What the tokens of links begin with that the operator makes: they prove nothing about an address. */
const BY_OPERATOR = 'by-operator-'

/** True for a token that did not come by mail. */
export function isByOperator(token: string): boolean {
  return token.startsWith(BY_OPERATOR)
}

/** A link by which a person sets a new password, once, within `LINK_MS`. Undefined if there is no such person. */
export async function makeResetLink(
  parts: { holder: LibraryHolder; dashboardUrl: string },
  userId: string,
): Promise<ResetLink | undefined> {
  const { internalAdapter } = await parts.holder.current.$context
  if ((await internalAdapter.findUserById(userId)) === null) return undefined
  const token = BY_OPERATOR + randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + LINK_MS)
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt,
  })
  const link = new URL(`/app/reset-password#${token}`, parts.dashboardUrl).href
  return { link, expiresAtMs: expiresAt.getTime() }
}
