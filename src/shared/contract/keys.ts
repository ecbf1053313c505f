import { z } from 'zod'
import { type Contract, NEXT, oneLine, PAGE, TIME_MS } from './contract.ts'

const KEY = z.strictObject({
  id: z.string(),
  name: z.string(),
  lastFour: z.string(),
  /** `expiring`: within 14 days. */
  status: z.enum(['active', 'expiring', 'expired', 'revoked']),
  /** Of keys that still work. `idle`: no request in 30 days; `unused`: no request in the 7 days since it was created. */
  hints: z.array(z.enum(['idle', 'unused'])),
  createdAtMs: TIME_MS,
  createdBy: z.string().exactOptional(),
  expiresAtMs: TIME_MS.exactOptional(),
  lastUsedAtMs: TIME_MS.exactOptional(),
  revokedAtMs: TIME_MS.exactOptional(),
  revokedReason: z.string().exactOptional(),
  replacedBy: z.string().exactOptional(),
})
export type KeyView = z.infer<typeof KEY>

/** The only response that contains the secret. */
const NEW_KEY = z.strictObject({ key: KEY, secret: z.string() })
export type NewKey = z.infer<typeof NEW_KEY>

/** `null`: never. */
const EXPIRY = z.int({ error: 'The expiry must be a time, or null.' }).nullish()

/** How long an old key works after its rotation: not at all, an hour, a day or 7 days. */
const OVERLAP_MS = z.literal([0, 3_600_000, 86_400_000, 604_800_000], {
  error: 'keepOldForMs must be 0, 3600000, 86400000 or 604800000.',
})

const ROTATION = z.strictObject({ keepOldForMs: OVERLAP_MS, expiresAtMs: EXPIRY })
export type RotationBody = z.input<typeof ROTATION>

export const KEY_CONTRACT = {
  /** Active keys first; then by when they end, latest first. `active` counts the active keys of all pages. */
  'GET /api/organizations/:org/keys': {
    access: 'keys.read',
    query: z.strictObject(PAGE),
    response: z.strictObject({ keys: z.array(KEY), active: z.number(), next: NEXT }),
  },
  'POST /api/organizations/:org/keys': {
    access: 'keys.create',
    body: z.strictObject({ name: oneLine('The name', 100), expiresAtMs: EXPIRY }),
    response: NEW_KEY,
  },
  'GET /api/organizations/:org/keys/:key': { access: 'keys.read', response: KEY },
  /** Without `expiresAtMs` the new key gets the lifetime of the old one. */
  'POST /api/organizations/:org/keys/:key/rotate': {
    access: 'keys.rotate',
    body: ROTATION,
    response: NEW_KEY,
  },
  'POST /api/organizations/:org/keys/:key/revoke': {
    access: 'keys.revoke',
    unlimited: true,
    body: z.strictObject({ reason: oneLine('The reason', 200).optional() }),
    response: KEY,
  },
} as const satisfies Contract
