import { extname } from 'node:path'
import { escapeHtml } from '../../lib/text.ts'
import {
  contactText,
  operatorLinks,
  PRODUCT_NAME,
  type ServiceIdentity,
  UNNAMED_SERVICE,
} from '../../shared/service-identity.ts'

/** Where the front page reads its counts. */
export const COUNTS_PATH = '/counts.json'

/** The configured URLs, and who runs the service. */
export interface Addresses {
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  /** The front page may show live counts; false by default. */
  readonly publicCounts?: boolean
  /** Unnamed by default. */
  readonly service?: ServiceIdentity
}

/** Replaces placeholders with the configuration, escaped for the type of the file. Other types are unchanged. */
export function fillIn(name: string, content: Buffer<ArrayBuffer>, addresses: Addresses): Buffer<ArrayBuffer> {
  const type = extname(name)
  if (!Object.hasOwn(ESCAPES, type)) return content
  const linked = content
    .toString()
    .replace(/__BASE_URL__(?=\/app\b)/g, new URL(addresses.dashboardUrl).origin)
    .replace(/(?<=href=")(?=\/app["/])/g, dashboardPrefix(addresses))
  const text = linked.replace(/__[A-Z]+(?:_[A-Z]+)+__/g, (placeholder) => {
    const block = BLOCKS[placeholder]
    if (block !== undefined) return block[type === '.html' ? 'html' : 'text'](addresses.service ?? UNNAMED_SERVICE)
    const value = VALUES[placeholder]
    return value === undefined ? placeholder : ESCAPES[type](value(addresses))
  })
  return Buffer.from(text)
}

/**
 * The prefix of `/app` in a link: the origin of the dashboard, because its API refuses changes from pages of another one. Empty if the
 * site has the same, so that links work under each name of the machine.
 */
export function dashboardPrefix({ baseUrl, dashboardUrl }: Addresses): string {
  const { origin } = new URL(dashboardUrl)
  return origin === new URL(baseUrl).origin ? '' : origin
}

/** The placeholders in pages whose values are text. */
const VALUES: Readonly<Record<string, (addresses: Addresses) => string>> = {
  __BASE_URL__: ({ baseUrl }) => baseUrl,
  __DASHBOARD_URL__: ({ dashboardUrl }) => dashboardUrl,
  __DOCS_URL__: ({ docsUrl }) => docsUrl,
  __SERVICE_NAME__: ({ service = UNNAMED_SERVICE }) => service.name,
  __COUNTS_PATH__: ({ publicCounts }) => (publicCounts ? COUNTS_PATH : ''),
  /** For the dashboard. */
  __SERVICE_IDENTITY__: ({ service = UNNAMED_SERVICE }) => JSON.stringify(service),
}

/** Those whose values are markup. */
const BLOCKS: Readonly<Record<string, Record<'html' | 'text', (service: ServiceIdentity) => string>>> = {
  __OPERATOR_LINKS__: {
    html: (service) =>
      operatorLinks(service)
        .map(({ text, href }) => `<li><a href="${escapeHtml(href)}">${text}</a></li>\n`)
        .join(''),
    text: (service) =>
      operatorLinks(service)
        .map(({ text, href }) => `- ${text}: ${href}\n`)
        .join(''),
  },
  __OPERATOR_CONTACT__: {
    html: ({ contact }) =>
      contact === undefined
        ? ''
        : `<p>Need help? Contact <a href="${escapeHtml(contact)}">${escapeHtml(contactText(contact))}</a>.</p>\n`,
    text: ({ contact }) => (contact === undefined ? '' : `Contact: ${contact}\n`),
  },
  __PRODUCT_NOTE__: {
    html: (service) => escapeHtml(productNote(service)),
    text: productNote,
  },
}

function productNote({ name }: ServiceIdentity): string {
  const license = 'pen source under Apache-2.0.'
  return name === PRODUCT_NAME ? `O${license}` : `Runs ${PRODUCT_NAME}, o${license}`
}

const ESCAPES: Readonly<Record<string, (value: string) => string>> = {
  '.html': escapeHtml,
  '.svg': escapeHtml,
  '.xml': escapeHtml,
  '.json': (value) => JSON.stringify(value).slice(1, -1),
  '.md': (value) => value,
  '.txt': (value) => value,
  '.http': (value) => value,
}
