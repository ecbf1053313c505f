import type { IncomingMessage } from 'node:http'
import type { ActiveKey } from '../keys/key-ring.ts'
import type { ApiContext } from './api-context.ts'
import { clientAddress } from './client-address.ts'
import { Problem } from './problem.ts'

/**
 * The refusal of a request from outside the networks of its key; undefined if it is accepted. The message names the address, so that its
 * sender knows what to allow, and no network.
 */
export function refusalOf(
  key: ActiveKey,
  request: IncomingMessage,
  api: Pick<ApiContext, 'trustedProxies'>,
): Problem | undefined {
  if (key.networks === undefined) return undefined
  const address = clientAddress(request, api.trustedProxies ?? 0)
  if (key.networks.has(address)) return undefined
  const message = `This API key is limited to certain networks, and ${address} is not in them. Change the allowed networks of the key in the dashboard, or send the request from one of them.`
  return new Problem('address-not-allowed', message)
}

/** A key as the reader of a long response: active as long as requests of its organization from this address are accepted. */
export function readerOf(
  key: ActiveKey,
  request: IncomingMessage,
  { trustedProxies = 0 }: Pick<ApiContext, 'trustedProxies'>,
): Pick<ActiveKey, 'id' | 'organizationId' | 'isActive'> {
  const address = clientAddress(request, trustedProxies)
  return {
    id: key.id,
    organizationId: key.organizationId,
    isActive: (nowMs) => key.isActive(nowMs) && !key.isSuspended && key.networks?.has(address) !== false,
  }
}
