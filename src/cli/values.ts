import { z } from 'zod'
import { parseNetwork } from '../lib/networks.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { KEY_NOTE, NETWORKS_MAX } from '../shared/contract/keys.ts'
import { EVERY_MINUTES_MAX, EVERY_MUST, feedUrlProblem, SLOTS_LIMIT_MAX, slugProblem } from '../shared/source-fields.ts'
import { parseRfc3339 } from '../slot/instant.ts'
import { option, UsageError } from './command.ts'
import { formatSeconds } from './table.ts'

// Schemas of arguments and options that several commands take.

const NAME_LENGTH_MAX = 200

/** The name of an organization or a key: one line, trimmed. */
export const nameValue = z
  .string()
  .trim()
  .refine((text) => text !== '' && text.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(text), {
    error: ({ input }) =>
      `must be one line of 1 to ${NAME_LENGTH_MAX} characters: got ${JSON.stringify(String(input).slice(0, NAME_LENGTH_MAX))}`,
  })

/** Comma-separated fields, as an edit that clears them. `clearable`: names of the fields in the edit, by their names here. */
export function clearValue<const Clearable extends Readonly<Record<string, string>>>(clearable: Clearable) {
  return z.string().transform((text, context) => {
    const fields = text.split(',')
    const unknown = fields.find((field) => !Object.hasOwn(clearable, field))
    if (unknown !== undefined) {
      const message = `must list some of ${Object.keys(clearable).join(', ')}: got "${unknown.slice(0, 100)}"`
      context.addIssue({ code: 'custom', message })
    }
    const edits = fields.map((field) => [clearable[field], null])
    return Object.fromEntries(edits) as { [Field in Clearable[keyof Clearable]]?: null }
  })
}

/** Networks separated by commas, in canonical form. */
const networksValue = z.string().transform((text, context) => {
  try {
    const networks = [...new Set(text.split(',').map((each) => parseNetwork(each.trim())))]
    if (networks.length <= NETWORKS_MAX) return networks
    context.addIssue({ code: 'custom', message: `must be at most ${NETWORKS_MAX} networks: got ${networks.length}` })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
  return z.NEVER
})

/** What a key is labeled and limited with, besides its name. */
export const KEY_LABELS = {
  note: option(KEY_NOTE.optional(), '<text>', 'what the key is for, shown in the list of keys'),
  networks: option(
    networksValue.optional(),
    '<list>',
    'the only networks that can use the key: addresses and CIDR ranges, separated by commas',
  ),
}

/** The slug of a source. */
export const slugValue = z.string().superRefine((text, context) => {
  const message = slugProblem(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** The URL of a feed: absolute, http or https, without credentials. */
export const feedUrlValue = z
  .string()
  .superRefine((text, context) => {
    const message = feedUrlProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .transform((text) => new URL(text).href)

/** A sync interval in minutes, as milliseconds: from one minute to a week. */
export const intervalValue = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= EVERY_MINUTES_MAX, {
    error: ({ input }) => `${EVERY_MUST}: got "${input}"`,
  })
  .transform((text) => Number(text) * MINUTE_MS)

/** A whole number from 1. */
export function countValue(max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,16}$/.test(text) && Number(text) >= 1 && Number(text) <= max, {
      error: ({ input }) => `must be a whole number from 1 to ${max}: got "${String(input).slice(0, 100)}"`,
    })
    .transform(Number)
}

/** The maximum number of slots of a source. */
export const slotsMaxValue = countValue(SLOTS_LIMIT_MAX)

/** One of some words. */
export function wordValue<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, {
    error: ({ input }) => `must be one of ${words.join(', ')}: got "${String(input).slice(0, 100)}"`,
  })
}

/** An RFC 3339 instant, as Unix milliseconds. */
export const instantValue = z
  .string()
  .refine((text) => parseRfc3339(text) !== undefined, {
    error: ({ input }) => `must be an instant (2030-01-31T12:00:00Z): got "${input}"`,
  })
  .transform((text) => parseRfc3339(text) ?? 0)

/** A `Date` after it has no four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31)

/**
 * The expiry of a key in Unix milliseconds: an instant, or the end of a date in UTC. Throws `UsageError` unless it is in the
 * future.
 */
export function parseExpiry(text: string, nowMs: number): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  const ms = isDate ? parseRfc3339(`${text}T00:00:00Z`) : parseRfc3339(text)
  const expiresAtMs = ms !== undefined && isDate ? ms + DAY_MS : ms
  if (expiresAtMs !== undefined && expiresAtMs > nowMs && expiresAtMs <= LAST_MS) return expiresAtMs
  throw new UsageError(
    `Invalid --expires: must be a future date (2030-01-31) or instant (2030-01-31T12:00:00Z): got "${text}"`,
  )
}

/** `expires at the end of 2026-12-31 (UTC)`, or the instant, or that it never expires. */
export function describeExpiry(expiresAtMs: number | undefined): string {
  if (expiresAtMs === undefined) return 'never expires'
  if (expiresAtMs % DAY_MS !== 0) return `expires ${formatSeconds(expiresAtMs)}`
  return `expires at the end of ${formatSeconds(expiresAtMs - DAY_MS).slice(0, 10)} (UTC)`
}
