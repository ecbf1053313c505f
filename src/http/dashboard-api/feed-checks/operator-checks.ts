import { z } from 'zod'
import { DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import type { FeedCheckView } from '../../../shared/feed-check-shapes.ts'
import type { AccountContext } from '../context.ts'
import { readForm } from '../read-form.ts'
import { FEED_URL } from '../sources/source-form.ts'
import { pathPart, type Visit } from '../visit.ts'
import { CHECKS_AT_ONCE, type CheckedSource, type CheckWish } from './feed-checks.ts'

/** Checks a whole feed; the answer does not wait for it. One at a time for each operator. */
export async function startCheck({ account, request, session }: Visit): Promise<FeedCheckView> {
  const wish = await wishOf(account, await readForm(request, CHECK))
  const started = account.feedChecks.start(session.userId, wish)
  if (started === undefined)
    throw new DashboardProblem(
      'conflict',
      `${CHECKS_AT_ONCE} feeds are being checked already. Please try again when they are done.`,
    )
  if ('running' in started)
    throw new DashboardProblem(
      'conflict',
      `You are checking ${started.running.url} already. Stop that first, or wait for it.`,
    )
  return started
}

/** How far a check is, or what came of it. */
export async function showCheck(visit: Visit): Promise<FeedCheckView> {
  const { account, session } = visit
  const check = account.feedChecks.find(session.userId, pathPart(visit, 'check'))
  if (check === undefined) throw notFound('check')
  return check
}

/** It ends with what it has. */
export async function stopCheck(visit: Visit): Promise<undefined> {
  const { account, session } = visit
  if (!account.feedChecks.stop(session.userId, pathPart(visit, 'check'))) throw notFound('check')
}

const CHECK = z.strictObject({
  url: FEED_URL.optional(),
  source: z.string({ error: 'The source must be a text.' }).optional(),
  strict: z.boolean({ error: 'Strict must be true or false.' }).optional(),
})

async function wishOf(
  { store }: AccountContext,
  { url, source: slug, strict = false }: z.infer<typeof CHECK>,
): Promise<CheckWish> {
  if ((url === undefined) === (slug === undefined))
    throw invalidField('Either the URL or the source must be given.', 'url')
  if (slug === undefined) return { url: new URL(url ?? '').href, strict }
  const found = await store.sources.find(slug)
  if (found === undefined) throw notFound('source')
  if (found.format !== 'smart-links')
    throw new DashboardProblem('conflict', `${slug} publishes no manifest: only feeds with one are checked.`)
  return wishOfSource(found, strict)
}

/** As its syncs ask, and at least as strictly as they read. */
function wishOfSource({ slug, format, url, options, strict }: CheckedSource, isStrict: boolean): CheckWish {
  const source = { slug, format, url, options, strict: strict || isStrict }
  return { url, strict: source.strict, source }
}
