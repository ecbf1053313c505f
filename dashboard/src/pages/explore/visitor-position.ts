/** The name of the visitor's position in the address of the page. */
export const MY_POSITION = 'My location'

const EXPLORE_PATH = '/app/explore'
const REOPENS = 'explore.locate'

/**
 * The visitor's position, rounded to two decimals (about a kilometer), or why there is none. Only the document of Explore may ask for it
 * (Permissions-Policy), so a visitor who came from another page of the dashboard reloads.
 */
export async function locate(): Promise<{ readonly near: string } | { readonly problem: string }> {
  if (!('geolocation' in navigator))
    return { problem: "This browser can't find your position. Enter a ZIP code or a city." }
  if (!isLoadedHere()) {
    sessionStorage.setItem(REOPENS, '1')
    location.reload()
    return new Promise(() => {})
  }
  return new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ near: `${rounded(coords.latitude)},${rounded(coords.longitude)}` }),
      ({ code }) => resolve({ problem: PROBLEMS[code] ?? NOT_FOUND }),
      { maximumAge: 600_000, timeout: 15_000 },
    ),
  )
}

let isReloaded = sessionStorage.getItem(REOPENS) !== null
sessionStorage.removeItem(REOPENS)

/** Whether the page was reloaded to find the position. A render that is discarded does not change it. */
export function isReloadedToLocate(): boolean {
  return isReloaded
}

/** For once the visitor sees it. */
export function forgetReload(): void {
  isReloaded = false
}

const NOT_FOUND = "Your position wasn't found. Enter a ZIP code or a city."

/** By `GeolocationPositionError.code`. */
const PROBLEMS: Readonly<Record<number, string>> = {
  1: "Your browser doesn't allow it. Change that in the settings of this site, or enter a ZIP code or a city.",
}

function isLoadedHere(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation === undefined || new URL(navigation.name).pathname === EXPLORE_PATH
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(2))
}
