import { asText, type Json, objectsIn } from '../../lib/json.ts'

/** A code and its text. */
export interface Concept {
  readonly code?: string
  readonly text?: string
}

/**
 * "Immunization", too broad to be useful beside another code. The 2021 specification requires it together with a specific
 * one (`covid19-immunization`).
 */
const GENERIC_CODES: ReadonlySet<string> = new Set(['57'])

/**
 * The most specific coding of a CodeableConcept or an array of them: the first that has a code and is not generic, else the
 * first with a code, else the first text. The text is the concept's own, else the coding's display. Undefined without any.
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

/** Some publishers send a Coding instead of a CodeableConcept, as an example of the 2025 draft does. */
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
