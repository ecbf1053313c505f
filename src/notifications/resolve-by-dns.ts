import { type LookupAddress, promises } from 'node:dns'
import type { Resolve } from '../feeds/http/public-address.ts'

/** Each server is asked twice, the second time for twice as long. */
const TIMING = { timeout: 2000, tries: 2 }

/**
 * Resolves names by DNS alone, by default with the servers of the system. `dns.lookup` occupies a thread until the system gives up, and
 * libuv lets two threads of a process do that: names whose servers do not respond would block those of all others.
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  return (hostname, _options, callback) => {
    // A new one each time, because the servers of the system may change.
    const resolver = new promises.Resolver(TIMING)
    if (servers !== undefined) resolver.setServers(servers)
    addressesOf(hostname, resolver).then(
      (addresses) => callback(null, addresses),
      (error: Error) => callback(error, []),
    )
  }
}

/** Rejects with the code of a name that does not exist, whatever the reason. */
async function addressesOf(hostname: string, resolver: promises.Resolver): Promise<LookupAddress[]> {
  const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  const answers = await Promise.allSettled(asked)
  const found = answers.flatMap((answer, at) => {
    const addresses = answer.status === 'fulfilled' ? answer.value : []
    return addresses.map((address) => ({ address, family: at === 0 ? 4 : 6 }))
  })
  if (found.length > 0) return found
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.message] : []))
  throw Object.assign(new Error(`Cannot resolve ${hostname}: ${reasons.join(', ')}`), { code: 'ENOTFOUND' })
}
