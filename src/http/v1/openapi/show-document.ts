import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { shortHash } from '../../../slot/ids.ts'
import type { ApiContext } from '../../api-context.ts'
import { isNotModified } from '../../negotiation.ts'
import { jsonResponse, type SerializedResponse } from '../../serialized-http.ts'
import { openApiDocument } from './document.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
const documents = new WeakMap<ApiContext, { text: string; etag: string }>()

/** GET /openapi.json: the OpenAPI document, without an API key. */
export function showDocument(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const { text, etag } = documents.get(api) ?? createDocument(api)
  const headers = [
    ['etag', etag],
    ['cache-control', 'public, no-cache'],
  ] as const
  if (isNotModified(request, etag)) return { status: 304, headers, body: new Uint8Array() }
  return jsonResponse(text, { headers })
}

function createDocument(api: ApiContext): { text: string; etag: string } {
  const text = JSON.stringify(openApiDocument({ ...api, version }))
  const document = { text, etag: `"${shortHash(text)}"` }
  documents.set(api, document)
  return document
}
