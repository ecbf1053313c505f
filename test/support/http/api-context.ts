import type { ApiContext } from '../../../src/http/api-context.ts'
import { FairQueue } from '../../../src/http/fair-queue.ts'
import { OpenFeedCounts } from '../../../src/http/open-feed/open-feed-counts.ts'
import { ExportPump } from '../../../src/http/v1/export-slots/export-pump.ts'
import { UsageMeter } from '../../../src/keys/usage-meter.ts'

/** What a server without pages and limits is made of, which rethrows every unexpected error. */
export function apiContextOf(
  parts: Pick<ApiContext, 'index' | 'keyRing' | 'sources' | 'feedVersions' | 'now' | 'baseUrl'> & Partial<ApiContext>,
): ApiContext {
  return {
    meter: new UsageMeter(),
    exports: new ExportPump(Date.now),
    queue: new FairQueue(),
    rateLimits: undefined,
    openFeed: new OpenFeedCounts(() => undefined),
    isReady: () => true,
    dashboardUrl: '',
    docsUrl: '',
    relay: () => undefined,
    site: { find: () => undefined, notFound: undefined },
    onError: (error) => {
      throw error
    },
    ...parts,
  }
}
