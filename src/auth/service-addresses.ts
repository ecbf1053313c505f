import { z } from 'zod'
import type { OperatorStore } from '../store/contracts/operators.ts'

const ADDRESSES = z.object({ baseUrl: z.string(), dashboardUrl: z.string() })

/** The public addresses of a service. */
export type ServiceAddresses = z.infer<typeof ADDRESSES>

/** The name of their row in `secrets`, which keeps single values of the service. */
const NAME = 'service-addresses'

/** Remembers the addresses that a node starts with, so that links printed by the command line lead to it. */
export async function rememberAddresses(
  operators: Pick<OperatorStore, 'findSecret' | 'deleteSecret' | 'secret'>,
  { baseUrl, dashboardUrl }: ServiceAddresses,
): Promise<void> {
  const value = JSON.stringify({ baseUrl, dashboardUrl })
  const known = await operators.findSecret(NAME)
  if (known === value) return
  if (known !== undefined) await operators.deleteSecret(NAME)
  await operators.secret(NAME, () => value)
}

/** Undefined before the first start. */
export async function rememberedAddresses(
  operators: Pick<OperatorStore, 'findSecret'>,
): Promise<ServiceAddresses | undefined> {
  const value = await operators.findSecret(NAME)
  return value === undefined ? undefined : ADDRESSES.parse(JSON.parse(value))
}
