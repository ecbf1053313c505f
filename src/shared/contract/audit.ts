import { z } from 'zod'
import { AUDIT_KINDS, ORGANIZATION_AUDIT_KINDS, SERVICE_AUDIT_KINDS } from '../audit-kinds.ts'
import { type Contract, integerParameter, shortText, TIME_MS, timeParameter } from './contract.ts'

/** An entry of an audit log. */
export const AUDIT_ENTRY = z.strictObject({
  id: z.number(),
  atMs: TIME_MS,
  kind: z.enum(AUDIT_KINDS),
  /** An email address, or `command line`. */
  actor: z.string(),
  address: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  subject: z.string().exactOptional(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).readonly(),
})
export type AuditView = z.infer<typeof AUDIT_ENTRY>

/** `false`: without sign-ins and attempts to sign in. */
const SIGN_INS = z
  .enum(['true', 'false'], { error: 'signIns must be true or false.' })
  .transform((value) => value === 'true')
  .optional()

const FILTER = z.strictObject({
  kind: z.enum(ORGANIZATION_AUDIT_KINDS, { error: 'The kind must be one that the log has.' }).optional(),
  signIns: SIGN_INS,
  actor: shortText('The actor', 320).optional(),
  subject: shortText('The subject', 100).optional(),
  fromMs: timeParameter('The start').optional(),
  toMs: timeParameter('The end').optional(),
})

const SERVICE_FILTER = FILTER.extend({
  kind: z.enum(SERVICE_AUDIT_KINDS, { error: 'The kind must be one that the log has.' }).optional(),
})

const PAGE = {
  beforeId: integerParameter('The last id', 0, Number.MAX_SAFE_INTEGER).optional(),
  limit: integerParameter('The limit', 1, 200).optional(),
}

export const AUDIT_CONTRACT = {
  'GET /api/organizations/:org/audit': {
    access: 'audit.read',
    query: FILTER.extend(PAGE),
    response: z.strictObject({ entries: z.array(AUDIT_ENTRY) }),
  },
  'GET /api/organizations/:org/audit.csv': { access: 'audit.read', query: FILTER, response: z.string() },
  /** The log of the service. */
  'GET /api/operator/audit': {
    access: 'viewer',
    query: SERVICE_FILTER.extend(PAGE),
    response: z.strictObject({ entries: z.array(AUDIT_ENTRY) }),
  },
  'GET /api/operator/audit.csv': { access: 'viewer', query: SERVICE_FILTER, response: z.string() },
  /** Entries of the service's log about the caller's account, newest first. */
  'GET /api/me/security-log': {
    access: 'session',
    query: z.strictObject({ ...PAGE, signIns: SIGN_INS }),
    response: z.strictObject({ entries: z.array(AUDIT_ENTRY) }),
  },
  'GET /api/me/security-log.csv': {
    access: 'session',
    query: z.strictObject({ signIns: SIGN_INS }),
    response: z.string(),
  },
  /** Dismisses the notices of `GET /api/me` up to an entry. */
  'POST /api/me/notices/dismiss': {
    access: 'session',
    body: z.strictObject({ lastId: z.int({ error: 'The last id must be that of a notice.' }).min(0) }),
  },
} as const satisfies Contract
