import assert from 'node:assert/strict'
import type { Origin, Publication, Rejected, SnapshotDraft } from '../../../src/feeds/connector.ts'
import { duplicateRejection } from '../../../src/feeds/rejections.ts'
import { encoded, type Slot } from '../../../src/slot/slot.ts'
import { MemoryResources } from './memory-resources.ts'

interface Held {
  readonly slot: Slot
  readonly origin: Origin
}

/** A `SnapshotDraft` that records all calls in arrays. It can continue from a previous draft. */
export class RecordedDraft implements SnapshotDraft {
  readonly state: unknown
  readonly resources = new MemoryResources()
  readonly rejected: Rejected[] = []
  readonly held = new Map<string, Held>()
  /** The number of slots by outcome. */
  readonly counts = { kept: 0, put: 0, withheld: 0, flushed: 0, partsKept: 0 }
  isRecalled = false
  readonly #before: ReadonlyMap<string, Held>
  readonly #byFingerprint: Map<number, Held>

  constructor(state: unknown = undefined, before: ReadonlyMap<string, Held> = new Map()) {
    this.state = state
    this.#before = before
    this.#byFingerprint = new Map([...before.values()].map((held) => [held.origin.fingerprint, held]))
  }

  /** The draft of the next sync. Its state was serialized as JSON, as by a store. */
  next(publication: Publication): RecordedDraft {
    return new RecordedDraft(
      JSON.parse(JSON.stringify(publication.state)),
      publication.unchanged ? this.#before : this.held,
    )
  }

  get slots(): Slot[] {
    return [...this.held.values()].map(({ slot }) => slot)
  }

  startUpdate(): never {
    throw new Error('Cannot update: nothing is stored')
  }

  async recall(): Promise<void> {
    this.isRecalled = true
  }

  keep(fingerprint: number): boolean {
    assert.ok(this.isRecalled, 'keep() must come after recall()')
    const held = this.#byFingerprint.get(fingerprint)
    if (held === undefined) return false
    this.#byFingerprint.delete(fingerprint)
    this.held.set(held.slot.id, held)
    this.counts.kept++
    return true
  }

  keepPart(part: number, count: number): boolean {
    assert.ok(this.isRecalled, 'keepPart() must come after recall()')
    const ofPart = [...this.#before.values()].filter(
      ({ slot, origin }) => origin.part === part && !this.held.has(slot.id),
    )
    if (ofPart.length !== count) return false
    for (const held of ofPart) this.held.set(held.slot.id, held)
    this.counts.partsKept++
    return true
  }

  put(slot: Slot, origin: Origin): void {
    if (this.held.has(slot.id)) {
      this.reject(duplicateRejection(encoded(slot), origin))
      return
    }
    this.held.set(slot.id, { slot, origin })
    this.counts.put++
  }

  reject(rejected: Rejected): void {
    this.rejected.push(rejected)
  }

  withhold(): void {
    this.counts.withheld++
  }

  async flush(): Promise<void> {
    this.counts.flushed++
  }
}
