import { ADDRESS_HEADER } from '../auth/address-block.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { bodyFrom } from './body-port.ts'

/** A request that came from the other thread. What its client wrote under the name of `ADDRESS_HEADER` is thrown away. */
export function requestOf(plain: SerializedRequest, origin: string): Request {
  const headers = new Headers(plain.headers.map(([name, value]): [string, string] => [name, value]))
  headers.set(ADDRESS_HEADER, plain.address)
  // The path is ours, whatever host or scheme the request line may name.
  const url = new URL(plain.target.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/+/, '/'), origin)
  const { method, upload } = plain
  if (upload !== undefined)
    return new Request(url, { method, headers, body: bodyFrom(upload), duplex: 'half' } as RequestInit)
  const hasBody = plain.body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(url, { method, headers, ...(hasBody && { body: Buffer.from(plain.body ?? []) }) })
}

/** A response for the other thread, its body read. */
export async function plainOf(response: Response): Promise<SerializedResponse> {
  const body = new Uint8Array(await response.arrayBuffer())
  // Each cookie comes as a pair of its own.
  return { status: response.status, headers: [...response.headers], body }
}

/** A path as a log may show it: without what stands behind the question mark, and without the token of an invitation. */
export function pathToShow(target: string): string {
  return target.split('?')[0].replace(/^(\/api\/invitations\/)[^/]+/, '$1…')
}
