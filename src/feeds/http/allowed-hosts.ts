/** The hosts that sources may have: names, IP addresses and `*.<domain>`, in lower case; undefined for any host. */
export type AllowedHosts = readonly string[] | undefined

/** Throws for a URL to another host. `*.example.org` contains every name below example.org, but not example.org. */
export function assertAllowedHost(url: URL, allowed: AllowedHosts): void {
  if (allowed === undefined) return
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (allowed.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))) return
  throw new Error(`the host ${host} is not in ALLOWED_SOURCE_HOSTS: ask the operator of this service to add it`)
}
