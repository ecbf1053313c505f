import { z } from 'zod'
import type { ApiKey } from '../../../keys/key.ts'
import { type MintedKey, mintApiKey } from '../../../keys/mint-key.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { DashboardProblem, notFound } from '../../../shared/dashboard-problem.ts'
import type { KeyView, NewKey, RequestView } from '../../../shared/shapes.ts'
import { oneLine, readForm } from '../read-form.ts'
import { type OrganizationVisit, pathPart } from '../visit.ts'
import { withinLimit } from '../within-limit.ts'
import { isLive, viewKey } from './key-view.ts'

/** How many keys of one organization may live. */
export const LIVE_KEYS_MAX = 100

/** How far ahead an expiry may lie: ten years. */
export const EXPIRY_MS_MAX = 3653 * DAY_MS

export async function listKeys({ account, organization }: OrganizationVisit): Promise<{ keys: KeyView[] }> {
  const nowMs = account.now()
  const keys = await account.store.keys.list(organization.id)
  return { keys: keys.map((key) => viewKey(key, nowMs)) }
}

/** The secret is in this answer and nowhere else. */
export async function createKey(visit: OrganizationVisit): Promise<NewKey> {
  const { account, actor } = visit
  const nowMs = account.now()
  const { name, expiresAtMs } = await readForm(visit.request, newKeyForm(nowMs))
  const { secret, key } = mintFor(visit, { name, expiresAtMs: expiresAtMs ?? undefined }, nowMs)
  await withinLimit(() => account.store.keys.put(key, actor, LIVE_KEYS_MAX), TOO_MANY_KEYS)
  await account.applyKeys([key])
  return { key: viewKey(key, nowMs), secret }
}

export async function showKey(visit: OrganizationVisit): Promise<KeyView> {
  return viewKey(await keyOfPath(visit), visit.account.now())
}

/**
 * A new key takes the place of the old one, which lives on for as long as is asked and no longer than it would have.
 * Without a word on its expiry the new key is made to live as long as the old one was.
 */
export async function rotateKey(visit: OrganizationVisit): Promise<NewKey> {
  const { account, organization, actor } = visit
  const nowMs = account.now()
  const { keepOldForMs, expiresAtMs } = await readForm(visit.request, rotationForm(nowMs))
  const old = await keyOfPath(visit)
  if (!isLive(old, nowMs))
    throw new DashboardProblem('conflict', 'This key lives no more. Please create a new one.')
  if (old.replacedBy !== undefined) {
    throw new DashboardProblem(
      'conflict',
      'This key was rotated already. Please rotate the key that took its place.',
    )
  }
  const lifetime = expiresAtMs === undefined ? lifetimeOf(old, nowMs) : (expiresAtMs ?? undefined)
  const { secret, key: next } = mintFor(visit, { name: old.name, expiresAtMs: lifetime }, nowMs)
  const untilMs = nowMs + keepOldForMs
  const replaced = { id: old.id, organizationId: organization.id, untilMs }
  const rotated = await withinLimit(
    () => account.store.keys.rotate(replaced, next, actor, LIVE_KEYS_MAX),
    TOO_MANY_KEYS,
  )
  if (rotated === undefined) throw notFound('live key')
  await account.applyKeys([rotated.key, rotated.old])
  return { key: viewKey(rotated.key, nowMs), secret }
}

/** The key is refused from now on. One that was revoked before stays as it was. */
export async function revokeKey(visit: OrganizationVisit): Promise<KeyView> {
  const { account, organization, actor } = visit
  const { reason } = await readForm(visit.request, REVOCATION)
  const atMs = account.now()
  const revoked = await account.store.keys.revoke(pathPart(visit, 'key'), {
    atMs,
    organizationId: organization.id,
    by: actor,
    ...(reason !== undefined && { reason }),
  })
  if (revoked === undefined) throw notFound('key')
  await account.applyKeys([revoked])
  return viewKey(revoked, atMs)
}

export async function listRequests(visit: OrganizationVisit): Promise<{ requests: RequestView[] }> {
  const key = await keyOfPath(visit)
  const requests = await visit.account.store.usage.recent(visit.organization.id, key.id)
  return {
    requests: requests.map(({ durationUs, ...request }) => ({ ...request, durationMs: durationUs / 1000 })),
  }
}

/** The key that the path names. Throws unless it is the organization's. */
export async function keyOfPath(visit: OrganizationVisit): Promise<ApiKey> {
  return getKey(visit, pathPart(visit, 'key'))
}

/** Throws unless the key is the organization's. */
export async function getKey({ account, organization }: OrganizationVisit, id: string): Promise<ApiKey> {
  const key = await account.store.keys.find(id)
  if (key?.organizationId !== organization.id) throw notFound('key')
  return key
}

function expiry(nowMs: number): z.ZodType<number | null | undefined> {
  const message = 'The expiry must lie in the future, at most ten years ahead.'
  return z
    .int({ error: message })
    .gt(nowMs, message)
    .max(nowMs + EXPIRY_MS_MAX, message)
    .nullish()
}

function newKeyForm(nowMs: number) {
  return z.strictObject({ name: oneLine('The name', 100), expiresAtMs: expiry(nowMs) })
}

function rotationForm(nowMs: number) {
  const keepOldForMs = z.literal([0, HOUR_MS, DAY_MS, 604_800_000], {
    error: 'The old key may live on for 0 ms, an hour, a day or 7 days: 0, 3600000, 86400000 or 604800000.',
  })
  return z.strictObject({ keepOldForMs, expiresAtMs: expiry(nowMs) })
}

const REVOCATION = z.strictObject({ reason: oneLine('The reason', 200).optional() })

function mintFor(
  { organization, actor }: OrganizationVisit,
  { name, expiresAtMs }: { name: string; expiresAtMs: number | undefined },
  nowMs: number,
): MintedKey {
  const owner = { organizationId: organization.id, name, ...(expiresAtMs !== undefined && { expiresAtMs }) }
  const { secret, key } = mintApiKey(owner, nowMs)
  return { secret, key: { ...key, createdBy: actor.name } }
}

/** Until when a key lives that is made now to last as long as this one was. */
function lifetimeOf({ createdAtMs, expiresAtMs }: ApiKey, nowMs: number): number | undefined {
  return expiresAtMs === undefined ? undefined : nowMs + (expiresAtMs - createdAtMs)
}

const TOO_MANY_KEYS = `${LIVE_KEYS_MAX} keys are active, which is the limit. Revoke an unused key first.`
