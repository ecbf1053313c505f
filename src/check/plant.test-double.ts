import type { FileType, Loose, PlantedFeed } from './planted-feed.test-double.ts'
import type { Generation } from './rule.ts'

/** A fault, and where it is to be found. */
export interface Plant {
  /** The rule that is to tell of it. */
  readonly rule: string
  /** Of the feed that it is planted into; the guide's where none is named. */
  readonly generation?: Generation
  /** In which file, and in which of its lines; without a line it concerns the file as a whole. */
  readonly at: readonly [file: FileType | 'manifest' | 'feed', line?: number]
  plant(feed: PlantedFeed): void
}

export const OLDER: Generation = 'vaccine-2021'
export const DRAFT: Generation = 'draft-2025'

/** Changes a Slot: the second one, unless said otherwise. */
export const slot = (rule: string, change: (slot: Loose) => void, generation?: Generation): Plant => ({
  rule,
  at: ['Slot', 2],
  ...(generation && { generation }),
  plant: (feed) => change(feed.resource('Slot', 1)),
})
export const set = (values: Loose) => (resource: Loose) => void Object.assign(resource, values)
export const first = (
  type: FileType,
  rule: string,
  change: (resource: Loose) => void,
  generation?: Generation,
): Plant => ({
  rule,
  at: [type, 1],
  ...(generation && { generation }),
  plant: (feed) => change(feed.resource(type)),
})
export const extension = (name: string, values: Loose) => (resource: Loose) => {
  const found = resource.extension.find(({ url }: Loose) => url.endsWith(`/${name}`))
  for (const key of Object.keys(found)) if (key.startsWith('value')) delete found[key]
  Object.assign(found, values)
}
export const manifest = (
  rule: string,
  change: (manifest: Loose) => void,
  generation?: Generation,
): Plant => ({
  rule,
  at: ['manifest'],
  ...(generation && { generation }),
  plant: ({ manifest }) => change(manifest),
})
export const output = (rule: string, change: (entry: Loose) => void): Plant =>
  manifest(rule, ({ output }) => change(output.at(-1)))
export const text = (
  type: FileType | 'manifest',
  rule: string,
  line: number | undefined,
  change: (text: string) => string | Buffer,
): Plant => ({
  rule,
  at: line === undefined ? [type] : [type, line],
  plant: ({ texts }) => void texts.set(type, change),
})
export const header = (
  type: FileType | 'manifest',
  rule: string,
  headers: Record<string, string | undefined>,
): Plant => ({
  rule,
  at: [type],
  plant: (feed) => void feed.headers.set(type, headers),
})
