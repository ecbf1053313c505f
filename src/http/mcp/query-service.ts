import { isObject } from '../../lib/json.ts'

/** Asks a GET of `/v1`: by its path, and what stands behind the question mark. Rejects with `Unanswered`. */
export type AskService = (path: string, search: string) => Promise<Answered>

/** What the service answered, with status 200. */
export interface Answered {
  readonly body: unknown
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** The service did not answer as hoped. The message is for the assistant: what was wrong, and what would be right. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** What an answer says. Throws `Unanswered` with its message if it is an error. */
export function readAnswer(status: number, text: string, header: Answered['header']): Answered {
  const body = parse(text)
  if (status === 200 && body !== undefined) return { body, header }
  const message = isObject(body) && typeof body.message === 'string' ? body.message : 'It gave no reason.'
  throw new Unanswered(`The service answered ${status}. ${message}`)
}

/** The list under a name of an answer's body; empty if there is none. */
export function listOf(body: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isObject(body) ? body[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The number under a name of an answer's body; 0 if there is none. */
export function countOf(body: unknown, name: string): number {
  const value = isObject(body) ? body[name] : undefined
  return typeof value === 'number' ? value : 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
