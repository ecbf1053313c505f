/**
 * The header in which the account thread passes on whom a request came from. What a client sends under this name is thrown
 * away when the request is taken from its thread, so it is never the client's word.
 */
export const ADDRESS_HEADER = 'x-slots-client-address'

/** The network address that a request came from. */
export function addressOf(headers: Headers): string | undefined {
  return headers.get(ADDRESS_HEADER) ?? undefined
}
