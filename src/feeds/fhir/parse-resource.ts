import { asObject, type Json } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'
import { InvalidData } from '../rejections.ts'

/**
 * Parses a line as one JSON object. Lenient: allows raw control characters in strings, such as tabs. Strict: also rejects
 * null outside arrays, as FHIR does. Throws `InvalidData`.
 */
export function parseResource(line: string, strict: boolean): Json {
  const resource = asObject(strict ? parseStrictly(line) : parseLeniently(line))
  if (resource === undefined) throw new InvalidData('the line must be a JSON object')
  return resource
}

function parseLeniently(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    const repaired = escapeControls(line)
    if (repaired === line) throw notJson(error)
    return parse(repaired)
  }
}

/** Few lines have a null, and a reviver takes several times as long. */
function parseStrictly(line: string): unknown {
  return parse(line, line.includes('null') ? refuseNull : undefined)
}

function parse(line: string, reviver?: typeof refuseNull): unknown {
  try {
    return JSON.parse(line, reviver)
  } catch (error) {
    throw error instanceof InvalidData ? error : notJson(error)
  }
}

function refuseNull(this: unknown, key: string, value: unknown): unknown {
  if (value === null && !Array.isArray(this))
    throw new InvalidData(`"${truncate(key, 80)}" must be absent or have a value: got "null"`)
  return value
}

function notJson(error: unknown): InvalidData {
  const detail = error instanceof Error ? truncate(error.message, 150) : ''
  return new InvalidData(`the line must be JSON: ${detail}`)
}

const QUOTE = 34
const BACKSLASH = 92

/** Escapes control characters inside strings; those between tokens are left to the parser. */
function escapeControls(line: string): string {
  let fixed = ''
  let from = 0
  let inside = false
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === QUOTE) inside = !inside
    else if (inside && code === BACKSLASH) at++
    else if (inside && code < 0x20) {
      fixed += `${line.slice(from, at)}\\u${code.toString(16).padStart(4, '0')}`
      from = at + 1
    }
  }
  return fixed + line.slice(from)
}
