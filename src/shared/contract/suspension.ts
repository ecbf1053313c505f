import { z } from 'zod'
import { oneLine, TIME_MS } from './contract.ts'

/** Since when and why an organization or an account is suspended. `by`: an email address, or `command line`. */
export const SUSPENSION = z.strictObject({ atMs: TIME_MS, by: z.string(), reason: z.string() })
export type Suspension = z.infer<typeof SUSPENSION>

/** The people concerned read it. */
export const SUSPENSION_REASON = oneLine('The reason', 200)
