/** The global API of `@scalar/api-reference` (browser/standalone.js). */
interface Scalar {
  createApiReference(element: Element, configuration: Readonly<Record<string, unknown>>): unknown
}

declare global {
  interface Window {
    /** Undefined if the script could not be loaded. */
    readonly Scalar?: Scalar
  }
}

const ATTRIBUTE = 'data-mantine-color-scheme'

// The static text of the page remains if the reference cannot be shown.
const place = document.querySelector('#reference')
if (place !== null) window.Scalar?.createApiReference(place, configuration())
followScheme()

/**
 * Uses this service's document and origin. An entered key stays in memory. All requests to other hosts are off; the
 * site's policy forbids them as well.
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
    // The site has its own search, and there are few operations.
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

/** The current color scheme, set on the root element by color-scheme.js or the button. */
function schemeNow(): 'dark' | 'light' {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light'
}

/** Applies the page's scheme to the reference, which reads it from a class of the body. */
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
