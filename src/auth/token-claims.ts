import { isObject } from '../lib/json.ts'

/** What a JSON Web Token says, without checking its signature: for those whose signature another part checks. Undefined for what is none. */
export function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return isObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}

/** What a confirmation link says: that an address is an account's, or that an account is to have another one. */
export interface Confirmation {
  readonly email: string
  readonly updateTo?: string
}

/** Undefined for what is no such token. Its signature is the library's to check. */
export function readConfirmation(token: string): Confirmation | undefined {
  const { email, updateTo } = readClaims(token) ?? {}
  if (typeof email !== 'string') return undefined
  return { email, ...(typeof updateTo === 'string' && { updateTo }) }
}
