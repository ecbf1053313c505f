import { z } from 'zod'
import { EVERY_MINUTES_MAX, EVERY_MUST, faultOfFeedUrl, faultOfSlug } from '../../store/source-form.ts'
import type { SourceState } from '../../store/source-store.ts'
import { NameTaken } from '../../store/store.ts'
import type { SourceCheck, SourceDetail, SourceView } from '../shapes.ts'
import { viewSource } from '../source-view.ts'
import type { AccountContext } from './account-context.ts'
import { invalid, readForm } from './read-form.ts'
import { notFound, Refusal } from './refusal.ts'
import { pathPart, type Visit } from './visit.ts'

export async function listSources({ account }: Visit): Promise<{ sources: SourceView[] }> {
  const sources = await account.store.sources.list()
  return { sources: await Promise.all(sources.map((source) => viewWithHistory(account, source))) }
}

/** It is synced at once. */
export async function addSource({ account, request }: Visit): Promise<SourceView> {
  const { slug, url, strict = false, everyMinutes } = await readForm(request, SOURCE)
  const every = everyMinutes === undefined ? {} : { everyMs: everyMinutes * 60_000 }
  try {
    const source = await account.store.sources.add({ slug, url: new URL(url).href, strict, ...every })
    return viewSource(source, [], account.now())
  } catch (fault) {
    if (!(fault instanceof NameTaken)) throw fault
    throw new Refusal('conflict', 'Another source has this slug. Please choose another.', { field: 'slug' })
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
  const [history, rejections] = await Promise.all([
    account.store.sources.history(source.id),
    account.store.sources.rejections(source.id),
  ])
  return { ...viewSource(source, history, account.now()), history, rejections }
}

/** Its slots stay as they are while it is paused. */
export async function pauseSource(visit: Visit): Promise<SourceView> {
  const { paused } = await readForm(visit.request, PAUSE)
  return viewChanged(visit, await visit.account.store.sources.setPaused(pathPart(visit, 'slug'), paused))
}

/** Makes it due; the answer does not wait for the sync. */
export async function syncSource(visit: Visit): Promise<SourceView> {
  const { sources } = visit.account.store
  const slug = pathPart(visit, 'slug')
  if ((await sources.find(slug))?.paused) {
    throw new Refusal('conflict', 'This source is paused. Resume it, and it is synced at once.')
  }
  return viewChanged(visit, await sources.syncSoon(slug))
}

/** Its slots go with it. */
export async function removeSource(visit: Visit): Promise<undefined> {
  const slug = pathPart(visit, 'slug')
  const typed = await readForm(visit.request, TYPED_SLUG)
  if (typed.slug !== slug) throw invalid(`Please type its slug exactly: ${slug}`, 'slug')
  if (!(await visit.account.store.sources.remove(slug))) throw notFound('source')
}

function must(what: string, faultOf: (text: string) => string | undefined): z.ZodType<string> {
  return z.string({ error: `${what} must be a text.` }).check((context) => {
    const fault = faultOf(context.value)
    if (fault === undefined) return
    context.issues.push({ code: 'custom', input: context.value, message: `${what} ${fault}.` })
  })
}

const FEED_URL = must('The URL', faultOfFeedUrl)

const SOURCE = z.strictObject({
  slug: must('The slug', faultOfSlug),
  url: FEED_URL,
  strict: z.boolean({ error: 'Strict must be true or false.' }).optional(),
  everyMinutes: z
    .int({ error: `The interval ${EVERY_MUST}.` })
    .min(1, `The interval ${EVERY_MUST}.`)
    .max(EVERY_MINUTES_MAX, `The interval ${EVERY_MUST}.`)
    .optional(),
})

const CHECK = z.strictObject({ url: FEED_URL })

const PAUSE = z.strictObject({ paused: z.boolean({ error: 'Paused must be true or false.' }) })

const TYPED_SLUG = z.strictObject({ slug: z.string({ error: 'Please type the slug.' }) })

async function viewChanged({ account }: Visit, source: SourceState | undefined): Promise<SourceView> {
  if (source === undefined) throw notFound('source')
  return viewWithHistory(account, source)
}

async function viewWithHistory({ store, now }: AccountContext, source: SourceState): Promise<SourceView> {
  return viewSource(source, await store.sources.history(source.id), now())
}
