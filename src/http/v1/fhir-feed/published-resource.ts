import { asObject } from '../../../lib/json.ts'
import { defined } from '../../../lib/optional.ts'
import { shortHash } from '../../../slot/ids.ts'
import type { Coding, Identifier, ResourceDetails } from '../../../slot/slot.ts'
import type { StatedConcept } from '../../../slot/source-resources.ts'
import { UNKNOWN } from './fhir-urls.ts'

/** The resource types beside Slot. */
export const DIRECTORY_TYPES = [
  'Location',
  'Schedule',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const
export type FeedDirectoryType = (typeof DIRECTORY_TYPES)[number]

export type Elements = { readonly [element: string]: unknown }

/** A resource before its provenance is added. */
export interface PublishedResource {
  readonly type: FeedDirectoryType
  readonly id: string
  /** The id in the feed of its publisher. */
  readonly original?: string
  /** The ids there of what its references refer to, by element. */
  readonly originals: Originals
  readonly labels: ResourceDetails
  readonly elements: Elements
}

export type Originals = Readonly<Record<string, string>>

interface Draft {
  readonly type: FeedDirectoryType
  readonly details: ResourceDetails
  readonly elements: Elements
  readonly originals: Originals
}

/**
 * Its id is a hash of the content, so equal resources share an id, on every node and in every publication, and a reference never changes
 * its meaning. Ids differ between publishers, because each resource names its publisher.
 */
export function publish(publisher: string, { type, details, elements, originals }: Draft): PublishedResource {
  const { id: original, tag, security } = details
  const labels = defined({ tag, security })
  const id = shortHash(JSON.stringify([type, publisher, original, originals, labels, elements]))
  return { type, id, labels, elements, originals, ...defined({ original }) }
}

/** The elements with the original ids as identifiers in the system of the source's feed, after the identifiers of the source. */
export function withOriginals({ type, original, originals, elements }: PublishedResource, system: string): Elements {
  const references = Object.entries(originals).map(([name, value]) => {
    return [name, { ...asObject(elements[name]), identifier: { system, value } }]
  })
  const own = (elements.identifier ?? []) as readonly Identifier[]
  const all = original === undefined ? own : [...own, { system, value: original }]
  // The guide requires one identifier of a Practitioner; the reference of the role has the id.
  const identifier = type === 'Practitioner' ? [all[0] ?? UNKNOWN] : nonEmpty(all)
  return { ...elements, ...Object.fromEntries(references), ...defined({ identifier }) }
}

/** One CodeableConcept for each coding; the words for the first one if its display differs. */
export function conceptsOf({ codings, text }: StatedConcept): Elements[] {
  return codings.map((coding, at) => {
    const words = at === 0 && text !== (coding.display ?? coding.code) ? text : undefined
    return isWords(coding) ? { text: coding.display } : defined({ coding: [coding], text: words })
  })
}

/** A single CodeableConcept with all codings. */
export function conceptOfAll(concept: StatedConcept | undefined): Elements {
  if (concept === undefined) return UNKNOWN
  const { codings, text } = concept
  const coded = codings.filter((coding) => !isWords(coding))
  const words = text ?? codings.find(isWords)?.display
  return defined({ coding: nonEmpty(coded), text: words })
}

function isWords({ code, system }: Coding): boolean {
  return code === undefined && system === undefined
}

export function nonEmpty<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined
}
