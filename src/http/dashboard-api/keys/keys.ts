import { type ApiKey, EXPIRY_MS_MAX, isActive, keyState, renewedExpiry } from '../../../keys/key.ts'
import { type MintedKey, mintApiKey } from '../../../keys/mint-key.ts'
import { parseNetwork } from '../../../lib/networks.ts'
import { defined } from '../../../lib/optional.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { KEY_CONTRACT, type KeyView } from '../../../shared/contract/keys.ts'
import { conflict, type DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import { keyPosition } from '../../../store/contracts/keys.ts'
import { readPage } from '../page.ts'
import { implement, type OrganizationRequest, withinLimit } from '../route.ts'

/** How many active keys an organization may have. */
export const ACTIVE_KEYS_MAX = 100

const TOO_MANY_KEYS = `${ACTIVE_KEYS_MAX} keys are active, which is the limit. Revoke an unused key first.`

export const keyRoutes = implement(KEY_CONTRACT, {
  'GET /api/organizations/:org/keys': async ({ context, organization, query }) => {
    const nowMs = context.now()
    const { keys } = context.store
    const { search, status, sort = 'ended', ...page } = query
    const filter = { ...defined({ search: search?.trim() }), isActive: status === 'active', sort }
    const { rows, next } = await readPage(
      page,
      (request) => keys.list(organization.id, request, filter),
      (key) => keyPosition(key, sort),
    )
    return { keys: rows.map((key) => viewKey(key, nowMs)), active: await keys.countActive(organization.id), ...next }
  },

  'POST /api/organizations/:org/keys': async (request) => {
    const { context, actor, body } = request
    const nowMs = context.now()
    checkExpiry(body.expiresAtMs, nowMs)
    const networks = canonicalNetworks(body.networks)
    const labels = { name: body.name, ...defined({ note: body.note ?? undefined, networks: networks ?? undefined }) }
    const minted = mintFor(request, labels, body.expiresAtMs ?? undefined, nowMs)
    await withinLimit(() => context.store.keys.put(minted.key, actor, ACTIVE_KEYS_MAX), TOO_MANY_KEYS)
    await context.applyKeys([minted.key])
    return { key: viewKey(minted.key, nowMs), secret: minted.secret }
  },

  'GET /api/organizations/:org/keys/:key': async (request) =>
    viewKey(await getKey(request, request.params.key), request.context.now()),

  'PATCH /api/organizations/:org/keys/:key': async (request) => {
    const { context, organization, actor, params, body } = request
    const nowMs = context.now()
    checkExpiry(body.expiresAtMs, nowMs)
    const { name, note, expiresAtMs } = body
    const edit = defined({ name, note, expiresAtMs, networks: canonicalNetworks(body.networks) })
    const edited = await context.store.keys.edit({ id: params.key, organizationId: organization.id }, edit, actor)
    if (edited === undefined) {
      await getKey(request, params.key)
      throw notActive()
    }
    await context.applyKeys([edited])
    return viewKey(edited, nowMs)
  },

  // The new key replaces the old one, which keeps working for as long as requested, but not beyond its expiry.
  'POST /api/organizations/:org/keys/:key/rotate': async (request) => {
    const { context, organization, actor, params, body } = request
    const nowMs = context.now()
    checkExpiry(body.expiresAtMs, nowMs)
    const old = await getKey(request, params.key)
    const expiresAtMs = body.expiresAtMs === undefined ? renewedExpiry(old, nowMs) : body.expiresAtMs
    const { secret, key: next } = mintFor(request, { name: old.name }, expiresAtMs ?? undefined, nowMs)
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
      ...defined({ reason: body.reason }),
    })
    if (revoked === undefined) throw notFound('key')
    await context.applyKeys([revoked])
    return viewKey(revoked, atMs)
  },
})

/** Throws unless the key is the organization's. */
export async function getKey(
  { context, organization }: Pick<OrganizationRequest, 'context' | 'organization'>,
  id: string,
): Promise<ApiKey> {
  const key = await context.store.keys.find(id)
  if (key?.organizationId !== organization.id) throw notFound('key')
  return key
}

/** Why the store did not rotate a key, which may have changed during the request. */
function notRotated({ replacedBy, revokedAtMs }: ApiKey): DashboardProblem {
  return replacedBy !== undefined && revokedAtMs === undefined
    ? conflict('This key was already rotated. Rotate the key that replaced it.')
    : notActive()
}

function notActive(): DashboardProblem {
  return conflict('This key is no longer active. Create a new one.')
}

function checkExpiry(expiresAtMs: number | null | undefined, nowMs: number): void {
  if (expiresAtMs == null || (expiresAtMs > nowMs && expiresAtMs <= nowMs + EXPIRY_MS_MAX)) return
  throw invalidField('The expiry must be in the future, at most ten years ahead.', 'expiresAtMs')
}

function mintFor(
  { organization, actor }: OrganizationRequest,
  labels: Pick<ApiKey, 'name' | 'note' | 'networks'>,
  expiresAtMs: number | undefined,
  nowMs: number,
): MintedKey {
  const owner = { organizationId: organization.id, ...labels, ...defined({ expiresAtMs }) }
  const { secret, key } = mintApiKey(owner, nowMs)
  return { secret, key: { ...key, createdBy: actor.name } }
}

/** Undefined stays undefined. Null: all networks. Throws `DashboardProblem`. */
function canonicalNetworks(networks: readonly string[] | null | undefined): string[] | null | undefined {
  if (networks === undefined) return undefined
  try {
    const canonical = new Set(networks?.map(parseNetwork))
    return canonical.size === 0 ? null : [...canonical]
  } catch (error) {
    throw error instanceof RangeError ? invalidField(error.message, 'networks') : error
  }
}

/** A key as its organization sees it: without the hash. */
export function viewKey(key: ApiKey, nowMs: number): KeyView {
  const { hash: _hash, organizationId: _organization, revision: _revision, networks, ...rest } = key
  return {
    ...rest,
    ...(networks !== undefined && { networks: [...networks] }),
    status: keyState(key, nowMs),
    hints: isActive(key, nowMs) ? hintsOf(key, nowMs) : [],
  }
}

function hintsOf({ createdAtMs, lastUsedAtMs }: ApiKey, nowMs: number): KeyView['hints'] {
  if (lastUsedAtMs === undefined) return nowMs - createdAtMs > 7 * DAY_MS ? ['unused'] : []
  return nowMs - lastUsedAtMs > 30 * DAY_MS ? ['idle'] : []
}
