import { readFileSync } from 'node:fs'
import type { Context } from 'hono'
import { shortHash } from '../../../slot/short-hash.ts'
import type { ApiContext } from '../../api-context.ts'
import { openApiDocument } from './document.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
const made = new WeakMap<ApiContext, { text: string; etag: string }>()

/** GET /openapi.json: the document, for everybody. */
export function showDocument(context: Context, api: ApiContext): Response {
  const { text, etag } = made.get(api) ?? make(api)
  const headers = { etag, 'cache-control': 'public, no-cache' }
  const held = context.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (held?.includes(etag)) return context.body(null, 304, headers)
  return context.body(text, 200, { ...headers, 'content-type': 'application/json' })
}

function make(api: ApiContext): { text: string; etag: string } {
  const text = JSON.stringify(openApiDocument({ ...api, version }))
  const document = { text, etag: `"${shortHash(text)}"` }
  made.set(api, document)
  return document
}
