import { FeedFailure } from '../connector.ts'
import { CLOSED, FILES_MAX, type Manifest, PENDING } from './manifest.ts'

/** A page of a manifest that was read. */
export interface ManifestPage {
  readonly manifest: Manifest
  /** The length of its text. */
  readonly bytes: number
}

/** A page a minute for more than a day; a publisher then publishes its feed as a whole again. */
export const PAGES_MAX = 2000

/** The largest known manifest has 3 MB. */
const PAGES_BYTES_MAX = 2 ** 26

/**
 * Reads the pages of a manifest in order, from `start` until there is no `next` or it is `#pending` or `#closed`: together they are one
 * publication. Throws what `read` throws, and `FeedFailure` if a page comes twice, or there are too many pages, files or bytes.
 */
export async function* readPages<Page extends ManifestPage>(
  start: URL,
  read: (url: URL) => Promise<Page>,
): AsyncGenerator<Page> {
  const visited = new Set<string>()
  let bytes = 0
  let files = 0
  let url: URL | undefined = start
  while (url !== undefined) {
    if (visited.has(url.href)) throw failure(`its pages must not lead back to ${url.href}`)
    visited.add(url.href)
    if (visited.size > PAGES_MAX) throw failure(`it must have at most ${PAGES_MAX} pages`)
    const page: Page = await read(url)
    const { next, deleted, files: listed } = page.manifest
    bytes += page.bytes
    files += listed.length + deleted.length
    if (bytes > PAGES_BYTES_MAX) throw failure(`its pages must be at most ${PAGES_BYTES_MAX} bytes together`)
    if (files > FILES_MAX) throw failure(`its pages must list at most ${FILES_MAX} files together`)
    yield page
    url = next === undefined || next === PENDING || next === CLOSED ? undefined : new URL(next)
  }
}

function failure(message: string): FeedFailure {
  return new FeedFailure(`Cannot read manifest: ${message}`)
}
