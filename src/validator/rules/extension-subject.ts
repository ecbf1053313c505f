import { extensionName } from '../../feeds/fhir/extension.ts'
import { asObject, type Json } from '../../lib/json.ts'

/** One extension of a resource. */
export interface ExtensionSubject {
  /** The type of the resource. */
  readonly type: string
  readonly extension: Json
  readonly at: number
  /** The last part of its URL. */
  readonly name: string
  /** Another of its name stood before it. */
  readonly repeated: boolean
}

/** The extensions of a resource, as rules see them. */
export function extensionsOf(type: string, resource: Json): ExtensionSubject[] {
  const { extension: list } = resource
  if (!Array.isArray(list)) return []
  const seen = new Set<string>()
  return list.flatMap((one, at) => {
    const extension = asObject(one)
    if (extension === undefined) return []
    const name = extensionName(extension.url)
    const repeated = seen.has(name)
    seen.add(name)
    return [{ type, extension, at, name, repeated }]
  })
}
