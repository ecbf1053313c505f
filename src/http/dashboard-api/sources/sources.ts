import { z } from 'zod'
import { DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import type { SourceCheck } from '../../../shared/shapes.ts'
import type { OpenSlotsView, SourceDetail, SourceView } from '../../../shared/source-shapes.ts'
import type { HistorySpan, OpenSlotSeries } from '../../../store/contracts/open-slot-history.ts'
import type { SourceState } from '../../../store/contracts/sources.ts'
import { HeldSnapshotChanged, NameTaken } from '../../../store/contracts/store.ts'
import { readForm } from '../read-form.ts'
import { pathPart, type Visit } from '../visit.ts'
import { CHANGES, FEED_URL, readEdit, readNewSource, SOURCE } from './source-form.ts'
import { viewAction } from './source-log.ts'
import { viewSource } from './source-view.ts'

export async function listSources({ account }: Visit): Promise<{ sources: SourceView[] }> {
  const sources = await account.store.sources.overview()
  const nowMs = account.now()
  return { sources: sources.map((source) => viewSource(source, nowMs)) }
}

/** It is synced at once. */
export async function addSource({ account, request, actor }: Visit): Promise<SourceView> {
  const added = readNewSource(await readForm(request, SOURCE))
  try {
    const source = await account.store.sources.add(added, actor)
    return viewSource(source, account.now())
  } catch (fault) {
    if (!(fault instanceof NameTaken)) throw fault
    throw new DashboardProblem('conflict', 'Another source has this slug. Please choose another.', {
      field: 'slug',
    })
  }
}

/** Reads a manifest without adding it. */
export async function checkSource({ account, request }: Visit): Promise<SourceCheck> {
  const { url } = await readForm(request, CHECK)
  return account.checkSource(new URL(url).href)
}

export async function showSource(visit: Visit): Promise<SourceDetail> {
  const { account } = visit
  const source = await account.store.sources.find(pathPart(visit, 'slug'))
  if (source === undefined) throw notFound('source')
  const [history, rejections, events, actions] = await Promise.all([
    account.store.sources.syncHistory(source.id),
    account.store.sources.rejections(source.id),
    account.store.health.ofSource(source.id),
    account.store.sourceLog.list({ slug: source.slug, limit: ACTIONS_SHOWN }),
  ])
  const past = { history, rejections, events, actions: actions.map(viewAction) }
  return { ...viewSource(source, account.now()), ...past }
}

/** Of its newest actions; `/api/operator/source-log` has all. */
const ACTIONS_SHOWN = 100

/** What it is, whether it is paused (its slots then stay as they are), and what of it is held. */
export async function changeSource(visit: Visit): Promise<SourceView> {
  const { paused, hold, ...form } = await readForm(visit.request, CHANGES)
  const { sources } = visit.account.store
  const slug = pathPart(visit, 'slug')
  if (Object.keys(form).length > 0) await sources.edit(slug, (before) => readEdit(before, form), visit.actor)
  if (paused !== undefined) await sources.setPaused(slug, paused, visit.actor)
  if (hold !== undefined) await sources.setReviewPolicy(slug, hold, visit.actor)
  return viewChanged(visit, await sources.find(slug))
}

/** The operator's yes, or no, to what is suspicious. A held snapshot is read once more, and taken in. */
export async function acceptSource(visit: Visit): Promise<SourceView> {
  const { accept, heldSinceMs } = await readForm(visit.request, ACCEPT)
  const seen = heldSinceMs === undefined ? undefined : { heldSinceMs: heldSinceMs ?? undefined }
  const { sources } = visit.account.store
  return viewChanged(
    visit,
    await sources.approve(pathPart(visit, 'slug'), accept, seen, visit.actor).catch((thrown: unknown) => {
      throw thrown instanceof HeldSnapshotChanged
        ? new DashboardProblem('conflict', 'What is held has changed since you looked. Please look again.')
        : thrown
    }),
  )
}

/** How many of its slots were open, over time. */
export async function showOpenSlots(visit: Visit): Promise<OpenSlotsView> {
  const { store, now } = visit.account
  const span = SPANS.get(visit.request.query('span') ?? '14d')
  if (span === undefined) throw invalidField('The span must be 14d or 400d.', 'span')
  const source = await store.sources.find(pathPart(visit, 'slug'))
  if (source === undefined) throw notFound('source')
  return viewOpenSlots(await store.openSlotHistory.read(source.id, span, now()))
}

/** Makes it due; the answer does not wait for the sync. */
export async function syncSource(visit: Visit): Promise<SourceView> {
  const { sources } = visit.account.store
  const slug = pathPart(visit, 'slug')
  const source = await sources.find(slug)
  if (source?.format === 'files')
    throw new DashboardProblem(
      'conflict',
      'This source has what was imported last. Import a file to change it.',
    )
  if (source?.paused) {
    throw new DashboardProblem('conflict', 'This source is paused. Resume it, and it is synced at once.')
  }
  return viewChanged(visit, await sources.syncSoon(slug))
}

/** Its slots go with it. */
export async function removeSource(visit: Visit): Promise<undefined> {
  const slug = pathPart(visit, 'slug')
  const typed = await readForm(visit.request, TYPED_SLUG)
  if (typed.slug !== slug) throw invalidField(`Please type its slug exactly: ${slug}`, 'slug')
  if (!(await visit.account.store.sources.remove(slug, visit.actor))) throw notFound('source')
}

const CHECK = z.strictObject({ url: FEED_URL })

const ACCEPT = z.strictObject({
  accept: z.boolean({ error: 'Accept must be true or false.' }),
  heldSinceMs: z.int({ error: 'It must be a time, or null where nothing is held.' }).nullable().optional(),
})

const SPANS: ReadonlyMap<string, HistorySpan> = new Map([
  ['14d', 'hours'],
  ['400d', 'days'],
])

const TYPED_SLUG = z.strictObject({ slug: z.string({ error: 'Please type the slug.' }) })

function viewChanged({ account }: Visit, source: SourceState | undefined): SourceView {
  if (source === undefined) throw notFound('source')
  return viewSource(source, account.now())
}

function viewOpenSlots({ fromMs, stepMs, series }: OpenSlotSeries): OpenSlotsView {
  const states = [...series]
    .filter(([state]) => state !== '')
    .map(([state, counts]) => ({ state, counts, last: counts.findLast((count) => count !== null) ?? 0 }))
    .sort((a, b) => b.last - a.last || (a.state < b.state ? -1 : 1))
    .map(({ state, counts }) => ({ state, counts }))
  return { fromMs, stepMs, all: series.get('') ?? [], states }
}
