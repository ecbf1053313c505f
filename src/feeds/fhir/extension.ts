import { asObject, asText, type Json } from '../../lib/json.ts'

/**
 * The last segment of an extension's URL, without a version. The three generations of SMART Scheduling Links use different
 * roots for the same extensions (`http://fhir-registry.smarthealthit.org/StructureDefinition/`,
 * `http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/`), and publishers misspell both.
 */
export function extensionName(url: unknown): string {
  if (typeof url !== 'string') return ''
  const known = names.get(url)
  if (known !== undefined) return known
  const name = /([^/|]*)\/?(?:\|[^/]*)?$/.exec(url.slice(-200))?.[1] ?? ''
  // A feed uses a dozen; the limit bounds memory for a feed with a new URL in every slot.
  if (names.size < 1000 && url.length < 500) names.set(url, name)
  return name
}

const names = new Map<string, string>()

/** The extensions of an element with this name. */
export function extensions(element: Json, name: string): readonly Json[] {
  if (!Array.isArray(element.extension)) return []
  return element.extension.filter((extension) => extensionName(asObject(extension)?.url) === name)
}

/** The text of an extension's value of any type: the value of a ContactPoint, the code of a coding. */
export function valueText(extension: Json): string | undefined {
  const plain = asText(extension.valueUrl) ?? asText(extension.valueString) ?? asText(extension.valueUri)
  return plain ?? asText(asObject(extension.valueContactPoint)?.value) ?? valueCode(extension)
}

/** The code of an extension's value: a code, a Coding, a CodeableConcept (its first coding, else its text) or a string. */
export function valueCode(extension: Json): string | undefined {
  const coded = asText(extension.valueCode) ?? asText(asObject(extension.valueCoding)?.code)
  if (coded !== undefined) return coded
  const concept = asObject(extension.valueCodeableConcept)
  const first = Array.isArray(concept?.coding) ? concept.coding[0] : undefined
  return asText(asObject(first)?.code) ?? asText(concept?.text) ?? asText(extension.valueString)
}
