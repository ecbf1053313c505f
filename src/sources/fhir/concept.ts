import { type Json, objectsOf, textOf } from './json.ts'

/** A code and its words. */
export interface Concept {
  readonly code?: string
  readonly text?: string
}

/**
 * Too broad to be of use beside another code: "Immunization". The 2021 specification asks for it together with one that
 * says against what (`covid19-immunization`).
 */
const GENERIC_CODES: ReadonlySet<string> = new Set(['57'])

/**
 * The one concept that stands for a CodeableConcept or an array of them: the first coding that has a code and is not
 * generic, else the first with a code. Its words are the concept's own text, else the coding's display. Without any code,
 * the first words. Undefined if nothing is said.
 */
export function conceptOf(value: unknown): Concept | undefined {
  const codings = objectsOf(value).flatMap(codingsOf)
  const coded = codings.filter(({ code }) => code !== undefined)
  const chosen =
    coded.find(({ code = '' }) => !GENERIC_CODES.has(code)) ?? coded[0] ?? codings.find(({ text }) => text)
  return chosen?.code === undefined && chosen?.text === undefined ? undefined : chosen
}

function codingsOf(concept: Json): Concept[] {
  const text = textOf(concept.text)
  // Some publishers give a Coding where a CodeableConcept belongs, as an example of the 2025 draft does.
  const codings = Array.isArray(concept.coding) ? objectsOf(concept.coding) : [concept]
  const concepts = codings.map((coding) => conceptFrom(textOf(coding.code), text ?? textOf(coding.display)))
  return concepts.length > 0 ? concepts : [conceptFrom(undefined, text)]
}

function conceptFrom(code: string | undefined, text: string | undefined): Concept {
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) }
}
