import { z } from 'zod'
import { type Contract, oneLine } from './contract.ts'
import { REJECTION } from './sources.ts'

/** The result of an import, or of its dry run. The file replaces everything that its source had. */
const IMPORT_REPORT = z.strictObject({
  slug: z.string(),
  /** Nothing was changed. */
  dryRun: z.boolean(),
  /** `partial`: some lines were rejected. `failed`: the file cannot be read, and nothing changed. */
  outcome: z.enum(['ok', 'partial', 'failed']),
  /** Why it failed: a sentence. */
  error: z.string().exactOptional(),
  /** Absent if the format could not be detected. */
  format: z.enum(['csv', 'ndjson', 'json']).exactOptional(),
  /** Rows, lines or entries of slots: `slots + rejected + withheld`. */
  read: z.number(),
  slots: z.number(),
  rejected: z.number(),
  /** Valid, but never served: `entered-in-error`, `nopt`. */
  withheld: z.number(),
  /** Slots that no state finds: their location and service name none. 0 if the file cannot be read. */
  withoutState: z.number(),
  /** Resources that slots refer to. */
  resources: z.number(),
  /** Slots before the import; absent for a new source. */
  slotsBefore: z.number().exactOptional(),
  /** Absent for a dry run. */
  changes: z.strictObject({ added: z.number(), changed: z.number(), removed: z.number() }).exactOptional(),
  /** Assumptions and warnings: a sentence each. */
  notes: z.array(z.string()).readonly(),
  /** At most 1,000. `line` is the row of a table, the line of NDJSON, or the number of an entry. */
  rejections: z.array(REJECTION).readonly(),
  /** The rejected rows with number and reason as CSV, at most about 1 MiB; absent without any. */
  rejectedCsv: z.string().exactOptional(),
  /** The first three slots as `/v1` serves them. */
  samples: z.array(z.unknown()).readonly(),
  durationMs: z.number(),
})
export type ImportReport = z.infer<typeof IMPORT_REPORT>

export const IMPORT_CONTRACT = {
  /** The body is the file, as `application/octet-stream`. The source is created if it does not exist. */
  'POST /api/operator/sources/:slug/upload': {
    access: 'operator',
    query: z.strictObject({
      fileName: oneLine('The file name', 255),
      dryRun: z.enum(['true', 'false'], { error: 'dryRun must be true or false.' }).default('false'),
      format: z.enum(['csv', 'ndjson', 'json'], { error: 'The format must be csv, ndjson or json.' }).optional(),
      timeZone: z
        .string()
        .refine(isTimeZone, 'The time zone must be an IANA name such as America/New_York, or UTC.')
        .optional(),
      dateOrder: z.enum(['mdy', 'dmy'], { error: 'The date order must be mdy or dmy.' }).optional(),
    }),
    response: IMPORT_REPORT,
  },
} as const satisfies Contract

/** The import itself is stricter: this only rejects errors before the file is uploaded. */
function isTimeZone(name: string): boolean {
  try {
    return (name === 'UTC' || name.includes('/')) && Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
