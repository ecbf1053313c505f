import { randomBytes } from 'node:crypto'
import type { SignInConfig } from '../config/config.ts'
import { DAY_MS } from '../lib/time.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type { OperatorStore } from '../store/contracts/operators.ts'
import { hashToken } from './link-tokens.ts'
import type { OneTimeLink } from './sign-in.ts'

/** True until there is an operator, unless the configuration names one. */
export async function needsOperator(
  operators: Pick<OperatorStore, 'any'>,
  { operatorEmails }: Pick<SignInConfig, 'operatorEmails'>,
): Promise<boolean> {
  return operatorEmails.length === 0 && !(await operators.any())
}

/** How long a setup link works. */
const SETUP_LINK_MS = DAY_MS

/** Creates a one-time link that makes the user who opens it an operator within a day. Revokes the previous link. */
export async function createSetupLink(
  operators: OperatorStore,
  { dashboardUrl, now, by }: { dashboardUrl: string; now: () => number; by?: AuditActor },
): Promise<OneTimeLink> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = now() + SETUP_LINK_MS
  await operators.putSetupToken(hashToken(token), expiresAtMs, by)
  return { link: new URL(`/app/setup#${token}`, dashboardUrl).href, expiresAtMs }
}
