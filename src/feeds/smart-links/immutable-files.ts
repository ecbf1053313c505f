import type { FeedResources, StoredFile } from '../feed-resources.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import type { Validators } from '../http/response.ts'
import type { ResourceSink } from './bulk-reader.ts'
import type { ListedFile } from './manifest.ts'

/** An immutable file whose resources are stored. */
export interface ImmutableFile extends StoredFile {
  readonly types: readonly string[]
  readonly resources: number
}

/**
 * The immutable files of a feed of Bulk Publish. A publisher refreshes its root by a manifest that lists most of them again: their
 * resources are copied from the last snapshot instead of downloaded. A file is downloaded if a resource of it is stored no more, because a
 * later file or an update replaced it, or if it has lines that were rejected, which are listed again with each read.
 */
export class ImmutableFiles {
  readonly #known: ReadonlyMap<string, ImmutableFile>
  readonly #resources: FeedResources
  readonly #read = new Map<string, { file: ListedFile; resources: number }>()

  constructor(known: readonly ImmutableFile[], resources: FeedResources) {
    this.#known = new Map(resources.areStored ? known.map((file) => [file.file, file]) : [])
    this.#resources = resources
  }

  has({ url, types }: ListedFile): boolean {
    return String(this.#known.get(url)?.types) === String(types)
  }

  /** Passes on the stored resources of a known file. Returns their number; undefined if some are missing. */
  async copy(file: ListedFile, sink: Pick<ResourceSink, 'put' | 'flush'>): Promise<number | undefined> {
    const known = this.#known.get(file.url)
    if (known === undefined) return undefined
    let missing = known.resources
    for await (const resources of this.#resources.readFile(known)) {
      missing -= resources.length
      for (const resource of resources) sink.put(resource)
      await sink.flush()
    }
    if (missing !== 0) return undefined
    this.note(file, known.resources)
    return known.resources
  }

  /** Records that all lines of a file were put. */
  note(file: ListedFile, resources: number): void {
    this.#read.set(file.url, { file, resources })
  }

  /** The files that were noted, after their resources were written. */
  get noted(): ImmutableFile[] {
    return [...this.#read.values()].flatMap(({ file: { url, types }, resources }) => {
      const place = this.#resources.placeOf(url)
      return place === undefined ? [] : [{ ...place, types, resources }]
    })
  }
}

/** The response to a request that need not be sent. */
export function unchangedResponse(url: string, validators: Validators = {}): FileResponse {
  const body = { async *[Symbol.asyncIterator]() {} }
  return { url: new URL(url), notModified: true, headers: {}, validators, body, discard() {} }
}
