import { BlockList, isIP } from 'node:net'
import { isPrivateName } from '../../lib/private-name.ts'

/**
 * Throws for an address that would send the password and all data unencrypted over a public network: a public host and no choice
 * about TLS. `sslmode=disable` is such a choice. A name counts as private if public DNS cannot have it; no name is resolved.
 */
export function requireTls(address: URL): void {
  const parameters = address.searchParams
  if (TLS_PARAMETERS.some((name) => parameters.has(name))) return
  const host = parameters.get('host') ?? decodeURIComponent(address.hostname).replace(/^\[|\]$/g, '')
  if (isPrivateServer(host.toLowerCase())) return
  throw new Error(
    `Cannot open store: the connection to ${host} must use TLS because the host may be on a public network: add ?sslmode=verify-full to the URL, or ?sslmode=disable to send everything unencrypted`,
  )
}

const TLS_PARAMETERS = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey']

/** A path is a Unix socket. */
function isPrivateServer(host: string): boolean {
  if (host === '' || host.startsWith('/')) return true
  const family = isIP(host)
  if (family !== 0) return PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6')
  return isPrivateName(host)
}

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4')
}
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')
