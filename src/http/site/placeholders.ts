import { extname } from 'node:path'
import { escapeHtml } from '../../lib/text.ts'

/** Addresses that only the configuration knows. */
export interface Addresses {
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
}

/** What pages say in their place. */
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

/** The content with the addresses in it, each written as the kind of file wants it; other kinds stay as they are. */
export function fillIn(
  name: string,
  content: Buffer<ArrayBuffer>,
  addresses: Addresses,
): Buffer<ArrayBuffer> {
  const written = ESCAPES[extname(name)]
  if (written === undefined) return content
  const text = content
    .toString()
    .replace(/__(?:BASE|DASHBOARD|DOCS)_URL__/g, (placeholder) =>
      written(addresses[PLACEHOLDERS[placeholder]]),
    )
  return Buffer.from(text)
}
