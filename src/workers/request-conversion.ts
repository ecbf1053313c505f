import { ADDRESS_HEADER } from '../auth/address-block.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import { receiveBody } from './request-body.ts'

/** The Fetch request of a request from another thread. A client cannot set `ADDRESS_HEADER`: its value is replaced. */
export function toWebRequest(serialized: SerializedRequest, origin: string): Request {
  const { method, target, address, upload, body } = serialized
  const headers = new Headers(serialized.headers.map(([name, value]): [string, string] => [name, value]))
  headers.set(ADDRESS_HEADER, address)
  // Drops the scheme and host that a request line may name.
  const url = new URL(target.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/+/, '/'), origin)
  if (upload !== undefined)
    return new Request(url, { method, headers, body: receiveBody(upload), duplex: 'half' } as RequestInit)
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(url, { method, headers, ...(hasBody && { body: Buffer.from(body) }) })
}

/** Reads the response's body. Each cookie keeps its own header. */
export async function serializeResponse(response: Response): Promise<SerializedResponse> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}

/** A path for the log: without the query and without the token of an invitation. */
export function pathForLog(target: string): string {
  return target.split('?')[0].replace(/^(\/api\/invitations\/)[^/]+/, '$1…')
}
