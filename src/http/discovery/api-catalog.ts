import type { IncomingMessage } from 'node:http'
import type { ApiContext } from '../api-context.ts'
import { FHIR_JSON_TYPE } from '../fhir-outcome.ts'
import { JSON_TYPE } from '../negotiation.ts'
import { MCP_PATH } from '../relay.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import { FEED_PATH, OPEN_FEED_PATH } from '../v1/fhir-feed/feed-access.ts'
import { MANIFEST_NAME } from '../v1/fhir-feed/manifest-parts.ts'
import { METADATA_PATH } from './capability-statement.ts'
import { showText } from './show-text.ts'

export const CATALOG_PATH = '/.well-known/api-catalog'

/** `application/linkset+json` (RFC 9264, 4.2) with the profile of API catalogs. */
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

interface Link {
  readonly href: string
  readonly type?: string
}

/** An API and what describes it (RFC 8631). */
interface CatalogEntry {
  readonly anchor: string
  readonly [relation: string]: string | readonly Link[]
}

/** GET /.well-known/api-catalog: the APIs of this service and their descriptions (RFC 9727). */
export function showApiCatalog(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const self = `${api.baseUrl}${CATALOG_PATH}`
  const apis = entriesOf(api)
  const catalog = { anchor: self, item: apis.map(({ anchor }) => ({ href: anchor })) }
  const link = `<${self}>; rel="api-catalog"`
  return showText(request, {
    text: JSON.stringify({ linkset: [catalog, ...apis] }),
    type: CATALOG_TYPE,
    headers: [['link', link]],
  })
}

function entriesOf({ baseUrl, docsUrl, openFeed }: ApiContext): CatalogEntry[] {
  const page = (name: string): Link => ({ href: `${docsUrl}${name}`, type: 'text/html' })
  const status = [{ href: `${baseUrl}/readyz`, type: JSON_TYPE }]
  const feed = (path: string): CatalogEntry => ({
    anchor: `${baseUrl}${path}${MANIFEST_NAME}`,
    'service-doc': [page('/republishing')],
    'service-meta': [{ href: `${baseUrl}${METADATA_PATH}`, type: FHIR_JSON_TYPE }],
    status,
  })
  return [
    {
      anchor: `${baseUrl}/v1`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: JSON_TYPE }],
      'service-doc': [page('')],
      status,
    },
    { anchor: `${baseUrl}${MCP_PATH}`, 'service-doc': [page('/mcp')], status },
    feed(FEED_PATH),
    ...(openFeed === undefined ? [] : [feed(OPEN_FEED_PATH)]),
  ]
}
