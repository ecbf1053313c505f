/** What Scalar's own script leaves for others (`@scalar/api-reference`, browser/standalone.js). */
interface Scalar {
  createApiReference(element: Element, configuration: Readonly<Record<string, unknown>>): unknown
}

declare global {
  interface Window {
    /** Missing if its script could not be loaded. */
    readonly Scalar?: Scalar
  }
}

// The page says in words what the reference is, and goes on doing so where this cannot be shown.
const place = document.querySelector('#reference')
if (place !== null) window.Scalar?.createApiReference(place, configuration())
followScheme()

/**
 * The document and the requests are this service's own, by the address at which the visitor reads the page. A key that is typed in
 * is kept in the page's memory only. Everything that would ask another host is off; the policy of the site would forbid it anyway.
 */
function configuration(): Readonly<Record<string, unknown>> {
  return {
    url: '/openapi.json',
    servers: [{ url: location.origin }],
    persistAuth: false,
    agent: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    // The site's own search stands above it, and the operations are few.
    hideSearch: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    theme: 'none',
    forceDarkModeState: schemeNow(),
    hideDarkModeToggle: true,
    operationTitleSource: 'summary',
    orderSchemaPropertiesBy: 'preserve',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    onLoaded: showInstead,
  }
}

function showInstead(): void {
  document.querySelector('#reference-plain')?.toggleAttribute('hidden', true)
  place?.toggleAttribute('hidden', false)
}

const ATTRIBUTE = 'data-mantine-color-scheme'

/** The scheme that the page is shown in: color-scheme.js or the button has put it on the root. */
function schemeNow(): 'dark' | 'light' {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light'
}

/** Lets the reference change its scheme with the page: it reads it from a class of the body. */
function followScheme(): void {
  const follow = () => {
    document.body.classList.toggle('dark-mode', schemeNow() === 'dark')
    document.body.classList.toggle('light-mode', schemeNow() === 'light')
  }
  new MutationObserver(follow).observe(document.documentElement, { attributeFilter: [ATTRIBUTE] })
  follow()
}

// TypeScript requires a module for `declare global`.
export {}
