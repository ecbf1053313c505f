import type { Generation } from '../../../src/shared/check-report-labels.ts'
import type { FileType, Loose, PlantedFeed } from './planted-feed.ts'

/** A fault, and where it is to be found. */
export interface Plant {
  /** The rule that is to tell of it. */
  readonly rule: string
  /** Of the feed that it is planted into; the guide's where none is named. */
  readonly generation?: Generation
  /** In which file, and in which of its lines; without a line it concerns the file as a whole. */
  readonly at: readonly [file: FileType | 'manifest' | 'feed', line?: number]
  /** Rules that are not to tell of it. */
  readonly without?: readonly string[]
  plant(feed: PlantedFeed): void
}

/** The generations before the guide. */
export const OLDER: Generation = 'vaccine-2021'
export const DRAFT: Generation = 'draft-2025'

/** Changes a Slot: the second one, unless said otherwise. */
export const slot = (rule: string, change: (slot: Loose) => void, generation?: Generation): Plant => ({
  rule,
  at: ['Slot', 2],
  ...(generation && { generation }),
  plant: (feed) => change(feed.resource('Slot', 1)),
})
/** Gives a resource these values. */
export const set = (values: Loose) => (resource: Loose) => void Object.assign(resource, values)
/** Changes the first resource of a type. */
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
/** Gives another value to the extension of a name. */
export const extension = (name: string, values: Loose) => (resource: Loose) => {
  const found = resource.extension.find(({ url }: Loose) => url.endsWith(`/${name}`))
  for (const key of Object.keys(found)) if (key.startsWith('value')) delete found[key]
  Object.assign(found, values)
}
/** Changes the manifest. */
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
/** Changes what the manifest lists last: the Slot file. */
export const output = (rule: string, change: (entry: Loose) => void): Plant =>
  manifest(rule, ({ output }) => change(output.at(-1)))
/** Changes the text of a file as it is sent. */
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
/** Sends other headers with a file. */
export const header = (
  type: FileType | 'manifest',
  rule: string,
  headers: Record<string, string | undefined>,
): Plant => ({
  rule,
  at: [type],
  plant: (feed) => void feed.headers.set(type, headers),
})
