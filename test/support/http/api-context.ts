import type { ApiContext } from '../../../src/http/api-context.ts'
import { FairQueue } from '../../../src/http/fair-queue.ts'
import { OpenFeedCounts } from '../../../src/http/open-feed/open-feed-counts.ts'
import { ExportPump } from '../../../src/http/v1/export-slots/export-pump.ts'
import { ChangeStreams } from '../../../src/http/v1/list-changes/change-streams.ts'
import { UsageMeter } from '../../../src/keys/usage-meter.ts'

/** What a server without pages and limits is made of, which rethrows every unexpected error. */
export function apiContextOf(
  parts: Pick<ApiContext, 'index' | 'keyRing' | 'sources' | 'feedVersions' | 'now' | 'baseUrl'> &
    Partial<Omit<ApiContext, 'changeStreams'>> & { readonly changeStreams?: ChangeStreams },
): ApiContext {
  const { index, now } = parts
  const ask = () => Promise.reject(new Error('there is no thread that reads the store'))
  return {
    changeStreams: new ChangeStreams({ ask, committed: () => index.committed, now }),
    meter: new UsageMeter(),
    exports: new ExportPump(Date.now),
    queue: new FairQueue(),
    rateLimits: undefined,
    openFeed: new OpenFeedCounts(() => undefined),
    isReady: () => true,
    dashboardUrl: 'https://slots.example/',
    docsUrl: 'https://slots.example/docs',
    relay: () => undefined,
    site: { find: () => undefined, notFound: undefined },
    onError: (error) => {
      throw error
    },
    ...parts,
  }
}
