import { z } from 'zod'
import { KEY_SORTS } from '../key-sorts.ts'
import { type Contract, NEXT, oneLine, PAGE, shortText, TIME_MS } from './contract.ts'

export const KEY = z.strictObject({
  id: z.string(),
  name: z.string(),
  note: z.string().exactOptional(),
  /** The only networks that can use the key: addresses and CIDR ranges. Absent: all. */
  networks: z.array(z.string()).exactOptional(),
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

/** What a key is for. Null removes it. */
export const KEY_NOTE = oneLine('The note', 300).refine(
  (text) => !/svc_sk_[0-9A-Za-z]{43}/.test(text),
  'The note must not contain an API key: everyone in the organization can read it.',
)

/** How many networks a key can be limited to. */
export const NETWORKS_MAX = 50

const NETWORKS_ERROR = `The allowed networks must be a list of at most ${NETWORKS_MAX} addresses or CIDR ranges.`

/** Addresses and CIDR ranges. Null or an empty list: all networks. */
const NETWORKS = z.array(z.string(NETWORKS_ERROR), NETWORKS_ERROR).max(NETWORKS_MAX, NETWORKS_ERROR)

/** What is absent stays as it is. */
const KEY_EDIT = z.strictObject({
  name: oneLine('The name', 100).optional(),
  note: KEY_NOTE.nullish(),
  expiresAtMs: EXPIRY,
  networks: NETWORKS.nullish(),
})
export type KeyEditBody = z.input<typeof KEY_EDIT>

const ROTATION = z.strictObject({ keepOldForMs: OVERLAP_MS, expiresAtMs: EXPIRY })
export type RotationBody = z.input<typeof ROTATION>

const FILTER = z.strictObject({
  search: shortText('The search', 200).optional(),
  status: z.literal('active', 'status must be active.').optional(),
  sort: z.enum(KEY_SORTS, 'sort must be ended, used or unused.').optional(),
})
export type KeyListFilter = z.input<typeof FILTER>

export const KEY_CONTRACT = {
  /** `search`: a part of the name, the note, the ID or the last four characters. `active` counts all active keys of the organization. */
  'GET /api/organizations/:org/keys': {
    access: 'keys.read',
    query: z.strictObject({ ...PAGE, ...FILTER.shape }),
    response: z.strictObject({ keys: z.array(KEY), active: z.number(), next: NEXT }),
  },
  'POST /api/organizations/:org/keys': {
    access: 'keys.create',
    body: z.strictObject({
      name: oneLine('The name', 100),
      note: KEY_NOTE.nullish(),
      expiresAtMs: EXPIRY,
      networks: NETWORKS.nullish(),
    }),
    response: NEW_KEY,
  },
  'GET /api/organizations/:org/keys/:key': { access: 'keys.read', response: KEY },
  'PATCH /api/organizations/:org/keys/:key': { access: 'keys.edit', body: KEY_EDIT, response: KEY },
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
