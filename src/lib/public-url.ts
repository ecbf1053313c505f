import { isPrivateName } from './private-name.ts'

/**
 * An address that may be shown to everybody: http or https, of a host with a public name, without user, query and fragment, which may
 * contain secrets. Undefined for any other text.
 */
export function publicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, origin, pathname } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  const isShown = PUBLIC_NAME.test(hostname) && !isPrivateName(hostname) && !HIDDEN.test(hostname)
  return isWeb && isShown ? origin + pathname : undefined
}

/** Neither an IP address nor a single label. */
const PUBLIC_NAME = /\.[a-z][a-z0-9-]+$/

/** Names that usually have no public address, beyond those that cannot (RFC 7686, 9476). */
const HIDDEN = /\.(?:intranet|alt|onion)$/
