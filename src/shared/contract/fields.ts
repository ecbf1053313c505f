import { z } from 'zod'

/** A name or reason that a person types: trimmed, one line. The label begins its message: `The name`. */
export function oneLine(label: string, lengthMax: number): z.ZodType<string, string> {
  const message = `${label} must be one line of 1 to ${lengthMax} characters.`
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .max(lengthMax, message)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), message)
}

/** An integer as a query parameter: digits. */
export function integerParameter(label: string, min: number, max: number): z.ZodType<number, string> {
  const message = `${label} must be a whole number from ${min} to ${max}.`
  return z
    .string({ error: message })
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** A time as a query parameter: milliseconds since 1970, up to the year 9999. */
export function timeParameter(label: string): z.ZodType<number, string> {
  return integerParameter(label, 0, Date.UTC(9999, 11, 31))
}

/** A time: milliseconds since 1970. */
export const TIME_MS = z.number()

/** A string with at most so many characters. */
export function shortText(label: string, lengthMax: number): z.ZodType<string, string> {
  const message = `${label} must be text with at most ${lengthMax} characters.`
  return z.string({ error: message }).max(lengthMax, message)
}
