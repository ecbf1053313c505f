import type { Generation } from '../../../src/shared/check-report-labels.ts'
import type { FileType, Loose, PlantedFeed } from './planted-feed.ts'

/** An error to plant into a feed, with the position of the expected finding. */
export interface Plant {
  /** The rule that reports it. */
  readonly rule: string
  /** The generation of the feed (default: the guide). */
  readonly generation?: Generation
  /** Another feed than the one of the generation. */
  readonly feed?: () => PlantedFeed
  /** The file and line of the finding; no line for the whole file. */
  readonly at: readonly [file: string, line?: number]
  /** Rules that must not report it. */
  readonly without?: readonly string[]
  plant(feed: PlantedFeed): void
}

/** The generations before the guide. */
export const OLDER: Generation = 'vaccine-2021'
export const DRAFT: Generation = 'draft-2025'

/** Changes the second Slot. */
export const slot = (rule: string, change: (slot: Loose) => void, generation?: Generation): Plant => ({
  rule,
  at: ['Slot', 2],
  ...(generation && { generation }),
  plant: (feed) => change(feed.resource('Slot', 1)),
})
/** Sets values of a resource. */
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
/** Replaces the value of an extension. */
export const extension = (name: string, values: Loose) => (resource: Loose) => {
  const found = resource.extension.find(({ url }: Loose) => url.endsWith(`/${name}`))
  for (const key of Object.keys(found)) if (key.startsWith('value')) delete found[key]
  Object.assign(found, values)
}
/** Changes the manifest. */
export const manifest = (rule: string, change: (manifest: Loose) => void, generation?: Generation): Plant => ({
  rule,
  at: ['manifest'],
  ...(generation && { generation }),
  plant: ({ manifest }) => change(manifest),
})
/** Changes the last manifest entry: the Slot file. */
export const output = (rule: string, change: (entry: Loose) => void): Plant =>
  manifest(rule, ({ output }) => change(output.at(-1)))
/** Changes the text of a file. */
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
/** Changes the response headers of a file. */
export const header = (
  type: FileType | 'manifest',
  rule: string,
  headers: Record<string, string | undefined>,
): Plant => ({
  rule,
  at: [type],
  plant: (feed) => void feed.headers.set(type, headers),
})
