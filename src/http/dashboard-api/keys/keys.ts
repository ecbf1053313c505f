import { type ApiKey, isActive, keyState } from '../../../keys/key.ts'
import { type MintedKey, mintApiKey } from '../../../keys/mint-key.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { KEY_CONTRACT, type KeyView } from '../../../shared/contract/keys.ts'
import { DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import { keyPosition } from '../../../store/contracts/keys.ts'
import { readPage } from '../page.ts'
import { implement, type OrganizationRequest, withinLimit } from '../route.ts'

/** How many active keys an organization may have. */
export const ACTIVE_KEYS_MAX = 100

const TOO_MANY_KEYS = `${ACTIVE_KEYS_MAX} keys are active, which is the limit. Revoke an unused key first.`

/** Ten years. */
export const EXPIRY_MS_MAX = 3653 * DAY_MS

export const keyRoutes = implement(KEY_CONTRACT, {
  'GET /api/organizations/:org/keys': async ({ context, organization, query }) => {
    const nowMs = context.now()
    const { keys } = context.store
    const { rows, next } = await readPage(query, (page) => keys.list(organization.id, page), keyPosition)
    return { keys: rows.map((key) => viewKey(key, nowMs)), active: await keys.countActive(organization.id), ...next }
  },

  'POST /api/organizations/:org/keys': async (request) => {
    const { context, actor, body } = request
    const nowMs = context.now()
    checkExpiry(body.expiresAtMs, nowMs)
    const minted = mintFor(request, body.name, body.expiresAtMs ?? undefined, nowMs)
    await withinLimit(() => context.store.keys.put(minted.key, actor, ACTIVE_KEYS_MAX), TOO_MANY_KEYS)
    await context.applyKeys([minted.key])
    return { key: viewKey(minted.key, nowMs), secret: minted.secret }
  },

  'GET /api/organizations/:org/keys/:key': async (request) =>
    viewKey(await getKey(request, request.params.key), request.context.now()),

  // The new key replaces the old one, which keeps working for as long as requested, but not beyond its expiry.
  'POST /api/organizations/:org/keys/:key/rotate': async (request) => {
    const { context, organization, actor, params, body } = request
    const nowMs = context.now()
    checkExpiry(body.expiresAtMs, nowMs)
    const old = await getKey(request, params.key)
    const expiresAtMs = body.expiresAtMs === undefined ? sameLifetime(old, nowMs) : body.expiresAtMs
    const { secret, key: next } = mintFor(request, old.name, expiresAtMs ?? undefined, nowMs)
    const rotation = { id: old.id, organizationId: organization.id, untilMs: nowMs + body.keepOldForMs }
    const rotated = await withinLimit(
      () => context.store.keys.rotate(rotation, next, actor, ACTIVE_KEYS_MAX),
      TOO_MANY_KEYS,
    )
    if (rotated === undefined) throw notRotated(await getKey(request, old.id))
    await context.applyKeys([rotated.key, rotated.old])
    return { key: viewKey(rotated.key, nowMs), secret }
  },

  'POST /api/organizations/:org/keys/:key/revoke': async ({ context, organization, actor, params, body }) => {
    const atMs = context.now()
    const revoked = await context.store.keys.revoke(params.key, {
      atMs,
      organizationId: organization.id,
      by: actor,
      ...(body.reason !== undefined && { reason: body.reason }),
    })
    if (revoked === undefined) throw notFound('key')
    await context.applyKeys([revoked])
    return viewKey(revoked, atMs)
  },
})

/** Throws unless the key is the organization's. */
export async function getKey({ context, organization }: OrganizationRequest, id: string): Promise<ApiKey> {
  const key = await context.store.keys.find(id)
  if (key?.organizationId !== organization.id) throw notFound('key')
  return key
}

/** Why the store did not rotate a key, which may have changed during the request. */
function notRotated({ replacedBy, revokedAtMs }: ApiKey): DashboardProblem {
  const message =
    replacedBy !== undefined && revokedAtMs === undefined
      ? 'This key was already rotated. Rotate the key that replaced it.'
      : 'This key is no longer active. Create a new one.'
  return new DashboardProblem('conflict', message)
}

function checkExpiry(expiresAtMs: number | null | undefined, nowMs: number): void {
  if (expiresAtMs == null || (expiresAtMs > nowMs && expiresAtMs <= nowMs + EXPIRY_MS_MAX)) return
  throw invalidField('The expiry must be in the future, at most ten years ahead.', 'expiresAtMs')
}

function mintFor(
  { organization, actor }: OrganizationRequest,
  name: string,
  expiresAtMs: number | undefined,
  nowMs: number,
): MintedKey {
  const owner = { organizationId: organization.id, name, ...(expiresAtMs !== undefined && { expiresAtMs }) }
  const { secret, key } = mintApiKey(owner, nowMs)
  return { secret, key: { ...key, createdBy: actor.name } }
}

/** The expiry of a key created now with the lifetime of this one. */
function sameLifetime({ createdAtMs, expiresAtMs }: ApiKey, nowMs: number): number | undefined {
  return expiresAtMs === undefined ? undefined : nowMs + (expiresAtMs - createdAtMs)
}

/** A key as its organization sees it: without the hash. */
export function viewKey(key: ApiKey, nowMs: number): KeyView {
  const { hash: _hash, organizationId: _organization, ...rest } = key
  return { ...rest, status: keyState(key, nowMs), hints: isActive(key, nowMs) ? hintsOf(key, nowMs) : [] }
}

function hintsOf({ createdAtMs, lastUsedAtMs }: ApiKey, nowMs: number): KeyView['hints'] {
  if (lastUsedAtMs === undefined) return nowMs - createdAtMs > 7 * DAY_MS ? ['unused'] : []
  return nowMs - lastUsedAtMs > 30 * DAY_MS ? ['idle'] : []
}
