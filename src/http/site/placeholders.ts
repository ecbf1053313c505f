import { extname } from 'node:path'
import { escapeHtml } from '../../lib/text.ts'

/** The configured URLs. */
export interface Addresses {
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
}

/** The placeholders in pages. */
const PLACEHOLDERS: Readonly<Record<string, keyof Addresses>> = {
  __BASE_URL__: 'baseUrl',
  __DASHBOARD_URL__: 'dashboardUrl',
  __DOCS_URL__: 'docsUrl',
}

const ESCAPES: Readonly<Record<string, (address: string) => string>> = {
  '.html': escapeHtml,
  '.svg': escapeHtml,
  '.json': (address) => JSON.stringify(address).slice(1, -1),
  '.md': (address) => address,
  '.txt': (address) => address,
  '.http': (address) => address,
}

/** Replaces placeholders with URLs, escaped for the type of the file. Other types are unchanged. */
export function fillIn(name: string, content: Buffer<ArrayBuffer>, addresses: Addresses): Buffer<ArrayBuffer> {
  const encode = ESCAPES[extname(name)]
  if (encode === undefined) return content
  const text = content
    .toString()
    .replace(/__(?:BASE|DASHBOARD|DOCS)_URL__/g, (placeholder) => encode(addresses[PLACEHOLDERS[placeholder]]))
  return Buffer.from(text)
}
