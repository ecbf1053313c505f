import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { invalidField } from '../../shared/dashboard-problem.ts'

/** The JSON body of a request; an absent one counts as `{}`. Throws `DashboardProblem` for what the schema does not allow. */
export async function readForm<T>(request: HonoRequest, schema: z.ZodType<T>): Promise<T> {
  return checked(parseJson((await request.text()) || '{}'), schema)
}

/** The parameters of a request. Throws `DashboardProblem` for what the schema does not allow, and for one that comes twice. */
export function readQuery<T>(request: HonoRequest, schema: z.ZodType<T>): T {
  const { searchParams } = new URL(request.url)
  const names = [...searchParams.keys()]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalidField(`${quoted(twice)} may be given once only.`, twice)
  return checked(Object.fromEntries(searchParams), schema)
}

/** What a person names something by: trimmed, one line. `what` begins its message: `The name`. */
export function oneLine(what: string, lengthMax: number): z.ZodType<string> {
  const message = `${what} must be one line of 1 to ${lengthMax} characters.`
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .max(lengthMax, message)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), message)
}

/** A whole number as a parameter has it: digits. */
export function wholeNumber(what: string, min: number, max: number): z.ZodType<number> {
  const message = `${what} must be a whole number from ${min} to ${max}.`
  return z
    .string({ error: message })
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** Beyond it, a time cannot be written with four digits of the year. */
export const LATEST_MS = Date.UTC(9999, 11, 31)

/** A time as a parameter has it: milliseconds since 1970. */
export function instantMs(what: string): z.ZodType<number> {
  return wholeNumber(what, 0, LATEST_MS)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField('The body must be JSON.')
  }
}

function checked<T>(value: unknown, schema: z.ZodType<T>): T {
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  const [issue] = outcome.error.issues
  if (issue.code === 'unrecognized_keys')
    throw invalidField(`${quoted(issue.keys[0])} is not known here.`, issue.keys[0])
  const [field] = issue.path
  throw field === undefined
    ? invalidField('The body must be a JSON object.')
    : invalidField(issue.message, String(field))
}

/** What came from outside, short enough to be shown. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 50))
}
