import { FeedFailure, type SecretOf, type Source } from '../feeds/connector.ts'
import { requestOptionsOf } from '../feeds/http/request-options.ts'
import { Secrets } from '../feeds/http/secrets.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { type CheckOptions, checkFeed } from './check-feed.ts'
import { webFeed } from './web-feed.ts'

/** How the publisher of a source is reached: as by a sync. */
export interface SourceReach {
  readonly allowPrivate: boolean
  readonly secretOf: SecretOf
}

/** Completes a sentence about a source whose feed cannot be checked; undefined if it can. */
export function faultOfCheckedSource({ format }: Pick<Source, 'format'>): string | undefined {
  if (format === 'smart-links') return undefined
  return format === 'files'
    ? 'its files are brought, so check the file itself'
    : 'a FHIR server is searched and publishes no files: its syncs tell what they reject'
}

/**
 * Checks the feed of a source, asked for as its syncs ask: with its headers, its parameters and their secrets, none of which
 * is in the report. Throws `FeedFailure` if it is of a format that cannot be checked, or a secret is missing.
 */
export async function checkSourceFeed(
  source: Source,
  { allowPrivate, secretOf }: SourceReach,
  options: CheckOptions & { readonly signal: AbortSignal },
): Promise<CheckReport> {
  const fault = faultOfCheckedSource(source)
  if (fault !== undefined) throw new FeedFailure(`Cannot check ${source.slug}: ${fault}`)
  const secrets = new Secrets(secretOf)
  const requestOptions = requestOptionsOf(source.options, secrets)
  const feed = webFeed(source.url, { allowPrivate, requestOptions }, options.signal)
  return checkFeed(feed, { ...options, strict: source.strict, redact: (text) => secrets.redact(text) })
}
