import { randomBytes } from 'node:crypto'
import type { OperatorStore } from '../store/contracts/operators.ts'
import { hashToken } from './sign-up-policy.ts'

/** A new one-time link that makes whoever opens it the operator; the one before is worth nothing from then on. */
export async function makeSetupLink(operators: OperatorStore, dashboardUrl: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await operators.putSetupToken(hashToken(token))
  return new URL(`/app/setup#${token}`, dashboardUrl).href
}
