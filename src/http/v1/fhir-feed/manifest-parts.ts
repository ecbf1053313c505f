import { FEED_PATH, type OPEN_FEED_PATH } from './feed-access.ts'
import { formatUpdatePage, UPDATES_FOLDER, type UpdatePageName } from './update-names.ts'

/** The last segment of the URL of the manifest. */
export const MANIFEST_NAME = '$bulk-publish'

/** Where a feed is. */
export interface FeedPlace {
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly path: typeof FEED_PATH | typeof OPEN_FEED_PATH
}

/** The elements that every page of the manifest has. */
export function manifestHead({ baseUrl, path }: FeedPlace, transactionMs: number) {
  return {
    manifestType: 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest',
    transactionTime: new Date(transactionMs).toISOString(),
    request: `${baseUrl}${path}${MANIFEST_NAME}`,
    requiresAccessToken: path === FEED_PATH,
    // See `FEED_VERSION_LIMITS`.
    updateCadence: 'PT1M',
    outputFormat: 'application/fhir+ndjson',
    error: [],
  }
}

/** The link to the next page of the manifest: there is none yet, the chain has ended, or a page. */
export function linkToNext(place: FeedPlace, next: '#pending' | '#closed' | UpdatePageName) {
  const url =
    typeof next === 'string' ? next : `${place.baseUrl}${place.path}${UPDATES_FOLDER}${formatUpdatePage(next)}`
  return { link: [{ relation: 'next', url }] }
}
