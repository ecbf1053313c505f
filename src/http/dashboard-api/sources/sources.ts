import { editOptions } from '../../../feeds/edit-options.ts'
import { InvalidSourceOptions, parseSourceOptions, type SourceOptions } from '../../../feeds/source-options.ts'
import { defined } from '../../../lib/optional.ts'
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import {
  type NewSourceBody,
  SOURCE_CONTRACT,
  type SourceEditBody,
  type SourceView,
} from '../../../shared/contract/sources.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import type { NewSource, SourceEdit, SourceOverview } from '../../../store/contracts/sources.ts'
import { HeldSnapshotChanged, NameTaken } from '../../../store/contracts/store.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'
import { syncSoon } from './source-lists.ts'
import { viewAction, viewOpenSlots, viewSource } from './source-view.ts'

/** The newest actions in the details of a source. The source log has all. */
const ACTIONS_SHOWN = 100

/** Days over which referrals are counted, today included. */
const REFERRAL_DAYS = 30

export const sourceRoutes = implement(SOURCE_CONTRACT, {
  'POST /api/operator/sources': async ({ context, actor, body }) => {
    try {
      const source = await context.store.sources.add(newSource(body), actor)
      return viewSource(source, context.now())
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error
      throw conflict('Another source has this slug. Choose another one.', 'slug')
    }
  },

  'POST /api/operator/sources/check': ({ context, body }) => context.checkSource(new URL(body.url).href),

  'GET /api/operator/sources/:slug': async ({ context, params }) => {
    const { sources, health, sourceLog, usage } = context.store
    const nowMs = context.now()
    const source = orNotFound(await sources.find(params.slug), 'source')
    const [history, rejections, events, actions, referrals] = await Promise.all([
      sources.syncHistory(source.id),
      sources.rejections(source.id),
      health.ofSource(source.id),
      sourceLog.list({ slug: source.slug, limit: ACTIONS_SHOWN }),
      usage.referrals(source.slug, nowMs - (nowMs % DAY_MS) - (REFERRAL_DAYS - 1) * DAY_MS),
    ])
    const past = { referrals, history, rejections, messages: source.messages, events, actions: actions.map(viewAction) }
    return { ...viewSource(source, nowMs), ...past }
  },

  'PATCH /api/operator/sources/:slug': async ({ context, actor, params: { slug }, body }) => {
    const { paused, hold, ...fields } = body
    const { sources } = context.store
    if (Object.keys(fields).length > 0) await sources.edit(slug, (before) => sourceEdit(before, fields), actor)
    if (paused !== undefined) await sources.setPaused(slug, paused, actor)
    if (hold !== undefined) await sources.setReviewPolicy(slug, hold, actor)
    return viewFound(context, await sources.find(slug))
  },

  'POST /api/operator/sources/:slug/accept': async ({ context, actor, params, body }) => {
    const { accept, heldSinceMs } = body
    const reviewed = heldSinceMs === undefined ? undefined : { heldSinceMs: heldSinceMs ?? undefined }
    try {
      return viewFound(context, await context.store.sources.approve(params.slug, accept, reviewed, actor))
    } catch (error) {
      if (!(error instanceof HeldSnapshotChanged)) throw error
      throw conflict('The held snapshot has changed since you reviewed it. Reload the page and review it again.')
    }
  },

  'GET /api/operator/sources/:slug/open-slots': async ({ context, params, query }) => {
    const { sources, openSlotHistory } = context.store
    const source = orNotFound(await sources.find(params.slug), 'source')
    const span = query.span === '14d' ? 'hours' : 'days'
    return viewOpenSlots(await openSlotHistory.read(source.id, span, context.now()))
  },

  // Responds without waiting for the sync.
  'POST /api/operator/sources/:slug/sync': async ({ context, params }) => {
    return viewSource(await syncSoon(params.slug, context), context.now())
  },

  'DELETE /api/operator/sources/:slug': async ({ context, actor, params: { slug }, body }) => {
    if (body.slug !== slug) throw invalidField(`Enter the slug exactly as shown: ${slug}`, 'slug')
    if (!(await context.store.sources.remove(slug, actor))) throw notFound('source')
  },

  'GET /api/operator/source-log': async ({ context, query }) => {
    const { slug = '', beforeId, limit = 50 } = query
    const filter = { limit, ...(slug !== '' && { slug }), ...defined({ beforeId }) }
    const actions = await context.store.sourceLog.list(filter)
    const slugs = new Set(actions.map((action) => action.slug))
    return { actions: actions.map(viewAction), existing: await context.store.sources.existing([...slugs]) }
  },
})

function viewFound({ now }: DashboardContext, source: SourceOverview | undefined): SourceView {
  return viewSource(orNotFound(source, 'source'), now())
}

function newSource(body: NewSourceBody): NewSource {
  const { slug, name, format = 'smart-links', strict = false, everyMinutes, slotsMax } = body
  return {
    slug,
    ...defined({ name, slotsMax }),
    format,
    url: new URL(body.url).href,
    options: validOptions(() => parseSourceOptions(format, body.options ?? {})),
    strict,
    ...(everyMinutes !== undefined && { everyMs: everyMinutes * MINUTE_MS }),
  }
}

function sourceEdit(
  { format, options: before }: SourceOverview,
  body: Omit<SourceEditBody, 'paused' | 'hold'>,
): SourceEdit {
  const { name, url, options, strict, everyMinutes, slotsMax } = body
  const field = (['url', 'everyMinutes'] as const).find((each) => body[each] !== undefined)
  if (format === 'files' && field !== undefined)
    throw invalidField('This source has no feed: its slots come from imported files.', field)
  return {
    ...defined({ name, strict, slotsMax }),
    ...(url !== undefined && { url: new URL(url).href }),
    ...(options !== undefined && { options: validOptions(() => editOptions(format, before, options)) }),
    ...(everyMinutes !== undefined && { everyMs: everyMinutes === null ? null : everyMinutes * MINUTE_MS }),
  }
}

function validOptions(read: () => SourceOptions): SourceOptions {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidSourceOptions)
      throw invalidField(`Options: ${error.message}.`, `options.${error.field}`)
    throw error
  }
}
