import { FEED_CHECK_CONTRACT } from '../../../shared/contract/feed-checks.ts'
import { DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'
import { CHECKS_AT_ONCE, type FeedCheckOptions } from './feed-checks.ts'

export const feedCheckRoutes = implement(FEED_CHECK_CONTRACT, {
  // Responds without waiting for the check.
  'POST /api/operator/checks': async ({ context, session, body }) => {
    const { url, source, strict = false } = body
    if ((url === undefined) === (source === undefined))
      throw invalidField('Provide either the URL or the source.', 'url')
    const options =
      source === undefined ? { url: new URL(url ?? '').href, strict } : await optionsOfSource(context, source, strict)
    const started = context.feedChecks.start(session.userId, options)
    if (started === undefined) {
      const message = `${CHECKS_AT_ONCE} checks are already running. Try again when one has finished.`
      throw new DashboardProblem('conflict', message)
    }
    if ('running' in started) {
      const message = `You are checking ${started.running.url}. Stop that check first, or wait for it.`
      throw new DashboardProblem('conflict', message)
    }
    return started
  },

  'GET /api/operator/checks/:check': async ({ context, session, params }) => {
    const check = context.feedChecks.find(session.userId, params.check)
    if (check === undefined) throw notFound('check')
    return check
  },

  'DELETE /api/operator/checks/:check': async ({ context, session, params }) => {
    if (!context.feedChecks.stop(session.userId, params.check)) throw notFound('check')
  },
})

/** Requests the feed as the syncs of its source do, and reads it at least as strictly. */
async function optionsOfSource(
  { store }: DashboardContext,
  slug: string,
  isStrict: boolean,
): Promise<FeedCheckOptions> {
  const source = await store.sources.find(slug)
  if (source === undefined) throw notFound('source')
  const { format, url, options } = source
  if (format !== 'smart-links')
    throw new DashboardProblem('conflict', `${slug} publishes no manifest: only feeds with a manifest can be checked.`)
  const strict = source.strict || isStrict
  return { url, strict, source: { slug, format, url, options, strict } }
}
