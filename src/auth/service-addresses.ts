import { z } from 'zod'
import type { OperatorStore } from '../store/contracts/operators.ts'

const STARTED = z.object({ baseUrl: z.string(), dashboardUrl: z.string(), hasAuthSecret: z.boolean().optional() })

/** The public addresses of a service. */
export type ServiceAddresses = Pick<StartedService, 'baseUrl' | 'dashboardUrl'>

/** The service as commands need to know it. `hasAuthSecret`: it has an AUTH_SECRET, without which they must not encrypt. */
type StartedService = z.infer<typeof STARTED>

/** The name of their row in `secrets`, which keeps single values of the service. */
const NAME = 'service-addresses'

/** Remembers how a node starts, so that links printed by the command line lead to it. */
export async function rememberService(
  operators: Pick<OperatorStore, 'findSecret' | 'deleteSecret' | 'secret'>,
  { baseUrl, dashboardUrl, hasAuthSecret }: StartedService,
): Promise<void> {
  const value = JSON.stringify({ baseUrl, dashboardUrl, hasAuthSecret })
  const known = await operators.findSecret(NAME)
  if (known === value) return
  if (known !== undefined) await operators.deleteSecret(NAME)
  await operators.secret(NAME, () => value)
}

/** Undefined before the first start. */
export async function rememberedService(
  operators: Pick<OperatorStore, 'findSecret'>,
): Promise<StartedService | undefined> {
  const value = await operators.findSecret(NAME)
  return value === undefined ? undefined : STARTED.parse(JSON.parse(value))
}
