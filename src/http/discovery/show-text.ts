import type { IncomingMessage } from 'node:http'
import { etagOfContent, isNotModified } from '../negotiation.ts'
import type { SerializedResponse } from '../serialized-http.ts'

/** A public text for any client and any web page; 304 if the client has it. */
export function showText(
  request: IncomingMessage,
  { text, type, headers = [] }: { readonly text: string; readonly type: string; readonly headers?: Headers },
): SerializedResponse {
  const etag = etagOfContent(text)
  const common: Headers = [
    ...headers,
    ['etag', etag],
    ['cache-control', 'public, max-age=3600'],
    ['access-control-allow-origin', '*'],
    ['access-control-expose-headers', 'ETag, X-Request-Id'],
  ]
  if (isNotModified(request, etag)) return { status: 304, headers: common, body: new Uint8Array() }
  return { status: 200, headers: [['content-type', type], ...common], body: new TextEncoder().encode(text) }
}

type Headers = SerializedResponse['headers']
