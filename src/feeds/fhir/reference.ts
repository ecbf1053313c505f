import { asText, type Json } from '../../lib/json.ts'

/** What a reference leads to. Without a type (`urn:uuid:…`, a bare id) any resource of that id is meant. */
export interface Target {
  readonly type?: string
  readonly id: string
}

/**
 * Reads a FHIR Reference: relative (`Location/1`), absolute, `urn:uuid:` or, leniently, a bare id; a version
 * (`/_history/2`) is ignored. Undefined for a contained resource (`#1`), an identifier only, and what is no reference.
 *
 * Absolute references are matched by type and id alone: within one feed the root says nothing, and is often wrong.
 */
export function parseReference(reference: Json): Target | undefined {
  const text = asText(reference.reference)
  if (text === undefined || text.startsWith('#')) return undefined
  const urn = /^urn:(?:uuid|oid):(.+)$/i.exec(text)
  if (urn !== null) return { id: urn[1] }
  const path = text
    .replace(/[?#].*$/, '')
    .replace(/\/_history\/[^/]*\/?$/, '')
    .replace(/\/$/, '')
    .split('/')
  const id = path.at(-1)
  const before = path.at(-2) ?? ''
  const type = TYPE.test(before) ? before : asText(reference.type)
  if (id === undefined || id === '') return undefined
  return type === undefined ? { id } : { type, id }
}

const TYPE = /^[A-Z][A-Za-z]+$/

/** True for the form that the specification asks for: `Type/id`, or an absolute URL that ends so. */
export function isPlainReference(reference: Json): boolean {
  return typeof reference.reference === 'string' && PLAIN.test(reference.reference)
}

const PLAIN =
  /^(?:https?:\/\/\S+\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/
