import { isObject, type Json } from '../lib/json.ts'

/** What somebody wrote cannot be the options of a source. The message is a sentence for that person, without a secret. */
export class OptionsFault extends Error {
  override readonly name = 'OptionsFault'
  /** The member that is wrong: `headers`, `authorization.tokenUrl`. */
  readonly field: string

  constructor(field: string, must: string) {
    super(`${field} ${must}`)
    this.field = field
  }
}

export const VALUE_LENGTH_MAX = 2000

/** One line of ASCII, never empty. */
export function parseText(field: string, value: unknown): string {
  if (
    typeof value !== 'string' ||
    value === '' ||
    value.length > VALUE_LENGTH_MAX ||
    !/^[\x20-\x7e]+$/.test(value)
  )
    throw new OptionsFault(field, `must be one line of ASCII, 1 to ${VALUE_LENGTH_MAX} characters`)
  refuseOtherReferences(field, value)
  return value
}

/** A reference to anything else would stay as it stands, and be sent so. */
export function refuseOtherReferences(field: string, value: string): void {
  const other = /\$\{(?!SOURCE_[A-Z0-9_]{1,100}\})[^}]{0,100}\}?/.exec(value)?.[0]
  if (other !== undefined)
    throw new OptionsFault(
      field,
      `must refer to variables that begin with SOURCE_, in capitals: got ${shown(other)}`,
    )
}

/** The value itself is not repeated: it may be the secret. */
export function requireReference(field: string, what: string, value: string): void {
  if (/\$\{SOURCE_/.test(value)) return
  throw new OptionsFault(
    field,
    `must give ${what} a reference to the environment, like \${SOURCE_CLINIC_KEY}: secrets are never stored`,
  )
}

/** The value, which must be an object. Throws `OptionsFault`. */
export function parseObject(field: string, value: unknown): Json {
  if (isObject(value)) return value
  throw new OptionsFault(field, `must be an object: got ${shown(value)}`)
}

/** What a sentence repeats of a value that is no secret. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return JSON.stringify(text.slice(0, 80))
}
