/**
 * Whether a host name cannot resolve in public DNS: a single label, or a name of a private network (RFC 6761, 6762, 8375; ICANN for
 * `.internal`) or of a Kubernetes service. `name`: in lower case, no IP address.
 */
export function isPrivateName(name: string): boolean {
  return !name.includes('.') || PRIVATE_NAME.test(name)
}

const PRIVATE_NAME = /(?:^|\.)(?:local|localhost|internal|lan|svc|home\.arpa|test)\.?$/
