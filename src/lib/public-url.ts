/**
 * An address that may be shown to everybody: http or https, of a host with a public name, without user, query and fragment, which may
 * contain secrets. Undefined for any other text.
 */
export function publicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, origin, pathname } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && PUBLIC_NAME.test(hostname) && !RESERVED.test(hostname) ? origin + pathname : undefined
}

/** Neither an IP address nor a single label. */
const PUBLIC_NAME = /\.[a-z][a-z0-9-]+$/

/** Names of private networks (RFC 6761, 6762, 8375, 9476, and ICANN's `internal`). */
const RESERVED = /\.(?:localhost|local|internal|intranet|lan|home\.arpa|alt|onion)$/
