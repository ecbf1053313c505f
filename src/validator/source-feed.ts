import { FeedFailure, type Source, type SourceSecrets } from '../feeds/connector.ts'
import type { AllowedHosts } from '../feeds/http/allowed-hosts.ts'
import { requestOptionsOf } from '../feeds/http/request-options.ts'
import { Secrets } from '../feeds/http/secrets.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { type CheckOptions, checkFeed } from './check-feed.ts'
import { webFeed } from './web-feed.ts'

/** How to reach the publisher of a source, as a sync does. */
interface SourceReach {
  readonly allowPrivate: boolean
  readonly allowedHosts?: AllowedHosts
  readonly sourceSecrets: SourceSecrets
}

/** Why the feed of a source cannot be checked, as part of a sentence; undefined if it can. */
function reasonNotCheckable({ format }: Pick<Source, 'format'>): string | undefined {
  if (format === 'smart-links') return undefined
  return format === 'files'
    ? 'its files are uploaded, so check the file itself'
    : 'a FHIR server is searched and publishes no files; see the rejected lines of its syncs'
}

/**
 * Checks the feed of a source with its headers, parameters and secrets; the report contains no secrets. Throws `FeedFailure`
 * for a format that cannot be checked or a missing secret.
 */
export async function checkSourceFeed(
  source: Source,
  { allowPrivate, allowedHosts, sourceSecrets }: SourceReach,
  options: CheckOptions & { readonly signal: AbortSignal },
): Promise<CheckReport> {
  const reason = reasonNotCheckable(source)
  if (reason !== undefined) throw new FeedFailure(`Cannot check ${source.slug}: ${reason}`)
  const secrets = new Secrets(sourceSecrets)
  const requestOptions = requestOptionsOf(source.options, secrets)
  const feed = webFeed(source.url, { allowPrivate, allowedHosts, requestOptions }, options.signal)
  const {
    strict,
    options: { serveTestData = false },
  } = source
  return checkFeed(feed, { ...options, strict, serveTestData, redact: (text) => secrets.redact(text) })
}
