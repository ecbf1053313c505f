import { asText, type Json, objectsIn } from '../../lib/json.ts'

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
  let chosen: Concept | undefined
  let use = 0
  for (const concept of objectsIn(value)) {
    const text = asText(concept.text)
    for (const coding of codingsOf(concept)) {
      const code = asText(coding.code)
      const words = text ?? asText(coding.display)
      const useOfThis = usefulness(code, words)
      if (useOfThis <= use) continue
      use = useOfThis
      chosen = conceptFrom(code, words)
    }
  }
  return chosen
}

/** Some publishers give a Coding where a CodeableConcept belongs, as an example of the 2025 draft does. */
function codingsOf(concept: Json): readonly Json[] {
  if (!Array.isArray(concept.coding)) return [concept]
  const codings = objectsIn(concept.coding)
  return codings.length > 0 ? codings : WORDS_ONLY
}

const WORDS_ONLY: readonly Json[] = [{}]

function usefulness(code: string | undefined, words: string | undefined): number {
  if (code === undefined) return words === undefined ? 0 : 1
  return GENERIC_CODES.has(code) ? 2 : 3
}

function conceptFrom(code: string | undefined, text: string | undefined): Concept {
  if (code === undefined) return text === undefined ? {} : { text }
  return text === undefined ? { code } : { code, text }
}
