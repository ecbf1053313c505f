import type { FeedResource, FeedResources, StoredFile } from '../feeds/feed-resources.ts'
import type { ResourceChanges, ResourceIdentity, ResourceWriter } from '../store/contracts/resources.ts'

/** Resources per transaction. */
const CHUNK = 2000

/** `FeedResources` over the store. Buffers changes: those of a new set for a short time, those of the stored set until the commit. */
export class StoredResources implements FeedResources {
  readonly #writer: ResourceWriter
  #puts = new Map<string, FeedResource>()
  #removes = new Map<string, ResourceIdentity>()
  readonly #places = new Map<string, StoredFile>()
  #isNew = false
  #isKept = false

  constructor(writer: ResourceWriter) {
    this.#writer = writer
  }

  get areStored(): boolean {
    return this.#writer.areStored
  }

  /** The commit's effect on the stored set. */
  get toCommit(): { readonly resources?: 'new' | ResourceChanges } {
    if (!this.#isKept) return {}
    return { resources: this.#isNew ? 'new' : this.#changes() }
  }

  async startOver(): Promise<void> {
    this.#clear()
    this.#places.clear()
    await this.#writer.startOver()
    this.#isNew = true
  }

  keep(): void {
    this.#isKept = true
  }

  put(resource: FeedResource): void {
    const key = keyOf(resource.type, resource.id)
    this.#puts.set(key, resource)
    this.#removes.delete(key)
  }

  remove(type: string, id: string): void {
    const key = keyOf(type, id)
    this.#puts.delete(key)
    this.#removes.set(key, { type, id })
  }

  async flush(): Promise<void> {
    if (this.#isNew && this.#puts.size + this.#removes.size >= CHUNK) await this.#write()
  }

  async find(type: string, ids: readonly string[]): Promise<readonly FeedResource[]> {
    await this.#write()
    const found: FeedResource[] = []
    for (let at = 0; at < ids.length; at += CHUNK)
      found.push(...(await this.#writer.find(ids.slice(at, at + CHUNK).map((id) => ({ type, id })))))
    return found
  }

  async *readType(type: string): AsyncGenerator<readonly FeedResource[]> {
    await this.#write()
    yield* this.#writer.readType(type)
  }

  async *readNew(type: string): AsyncGenerator<readonly FeedResource[]> {
    await this.#write()
    yield* this.#writer.readNew(type)
  }

  placeOf(file: string): StoredFile | undefined {
    return this.#places.get(file)
  }

  readFile(place: StoredFile): AsyncIterable<readonly FeedResource[]> {
    return this.#writer.readFile(place)
  }

  async *readSlotsOf(schedule: string): AsyncGenerator<readonly FeedResource[]> {
    await this.#write()
    yield* this.#writer.readSlotsOf(schedule)
  }

  async #write(): Promise<void> {
    if (!this.#isNew || this.#puts.size + this.#removes.size === 0) return
    const changes = this.#changes()
    this.#clear()
    let key = await this.#writer.write(changes)
    for (const { file } of changes.puts) this.#extend(file, key++)
  }

  /** Keys only grow. */
  #extend(file: string, lastKey: number): void {
    this.#places.set(file, { file, firstKey: this.#places.get(file)?.firstKey ?? lastKey, lastKey })
  }

  #changes(): ResourceChanges {
    return { puts: [...this.#puts.values()], removes: [...this.#removes.values()] }
  }

  #clear(): void {
    this.#puts = new Map()
    this.#removes = new Map()
  }
}

function keyOf(type: string, id: string): string {
  return `${type}/${id}`
}
