import { type BatchOutcome, SELECTED_MAX, SOURCE_LIST_CONTRACT } from '../../../shared/contract/source-lists.ts'
import { conflict, DashboardProblem, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import type { BatchAction } from '../../../shared/source-vocabulary.ts'
import type { AuditActor } from '../../../store/contracts/audit.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'
import { reasonsOf, sourceConditions } from './source-reasons.ts'
import { viewSource, viewSummary } from './source-view.ts'

export const sourceListRoutes = implement(SOURCE_LIST_CONTRACT, {
  'GET /api/operator/sources': async ({ context, query }) => {
    const { order = 'health', limit = 50, offset = 0, ...search } = query
    const { store, now } = context
    const listed = await store.sources.page({ ...(await sourceConditions(search, context)), order, limit, offset })
    const nowMs = now()
    const sources = listed.sources.map((source) => viewSource(source, nowMs))
    return { sources, total: listed.total, offset, summary: viewSummary(listed) }
  },

  'GET /api/operator/source-summary': async ({ context }) => {
    const listed = await context.store.sources.page({ order: 'health', limit: 1, offset: 0 })
    return { ...viewSummary(listed), reasons: listed.attention === 0 ? [] : await reasonsOf(context) }
  },

  'GET /api/operator/source-slugs': async ({ context, query }) => {
    const { sources } = context.store
    const matching = { ...(await sourceConditions(query, context)), order: 'name', limit: SELECTED_MAX } as const
    return { slugs: await sources.matching(matching) }
  },

  'POST /api/operator/source-totals': ({ context, body }) => context.store.sources.totals(body.slugs),

  'POST /api/operator/source-batches': async ({ context, actor, body: { action, slugs } }) => {
    const outcome: BatchOutcome = { done: [], failed: [] }
    // One by one: other requests of this thread come between.
    for (const slug of slugs) {
      try {
        await ACTIONS[action](slug, context, actor)
        outcome.done.push(slug)
      } catch (error) {
        if (!(error instanceof DashboardProblem)) throw error
        outcome.failed.push({ slug, message: error.message })
      }
    }
    return outcome
  },
})

type Act = (slug: string, context: DashboardContext, actor: AuditActor) => Promise<void>

/** Each throws `DashboardProblem` if the source cannot be changed. */
const ACTIONS: Readonly<Record<BatchAction, Act>> = {
  pause: (slug, context, actor) => setPaused(slug, context, { paused: true, actor }),
  resume: (slug, context, actor) => setPaused(slug, context, { paused: false, actor }),
  async sync(slug, context) {
    await syncSoon(slug, context)
  },
  async check(slug, context) {
    const { format, url } = orNotFound(await context.store.sources.find(slug), 'source')
    if (format === 'files') throw conflict('This source has no feed to check. Check its file before the next import.')
    if (format === 'fhir-search')
      throw conflict('A FHIR server has no manifest to check. See the rejected lines of its syncs.')
    const { ok, message } = await context.checkSource(url)
    if (!ok) throw conflict(message)
  },
  async remove(slug, { store }, actor) {
    if (!(await store.sources.remove(slug, actor))) throw notFound('source')
  },
}

/** Makes a source due now. Throws `DashboardProblem` if it is not synced at all. */
export async function syncSoon(slug: string, { store: { sources } }: DashboardContext): Promise<SourceOverview> {
  const { format, paused } = orNotFound(await sources.find(slug), 'source')
  if (format === 'files') throw conflict('This source has no feed. Import a file to change its slots.')
  if (paused) throw conflict('This source is paused. Resume it to sync it.')
  return orNotFound(await sources.syncSoon(slug), 'source')
}

async function setPaused(
  slug: string,
  { store }: DashboardContext,
  { paused, actor }: { paused: boolean; actor: AuditActor },
): Promise<void> {
  orNotFound(await store.sources.setPaused(slug, paused, actor), 'source')
}
