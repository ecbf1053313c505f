import type { FeedResource, FeedResources } from '../../../src/feeds/feed-resources.ts'

/** `FeedResources` in a map, of one read: nothing is stored. */
export class MemoryResources implements FeedResources {
  readonly areStored = false
  isKept = false
  readonly #resources = new Map<string, FeedResource>()

  async startOver(): Promise<void> {
    this.#resources.clear()
  }

  keep(): void {
    this.isKept = true
  }

  put(resource: FeedResource): void {
    this.#resources.set(`${resource.type}/${resource.id}`, resource)
  }

  remove(type: string, id: string): void {
    this.#resources.delete(`${type}/${id}`)
  }

  async flush(): Promise<void> {}

  async find(type: string, ids: readonly string[]): Promise<readonly FeedResource[]> {
    return ids.map((id) => this.#resources.get(`${type}/${id}`)).filter((found) => found !== undefined)
  }

  async *readType(type: string): AsyncGenerator<readonly FeedResource[]> {
    yield [...this.#resources.values()].filter((resource) => resource.type === type)
  }

  readNew(type: string): AsyncGenerator<readonly FeedResource[]> {
    return this.readType(type)
  }

  placeOf(): undefined {}

  async *readFile(): AsyncGenerator<readonly FeedResource[]> {}

  async *readSlotsOf(schedule: string): AsyncGenerator<readonly FeedResource[]> {
    for await (const slots of this.readType('Slot')) yield slots.filter((slot) => slot.schedule === schedule)
  }
}
