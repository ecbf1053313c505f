import assert from 'node:assert/strict'
import type { Origin, Publication, Rejected, SnapshotDraft } from '../../../src/feeds/connector.ts'
import type { Slot } from '../../../src/slot/slot.ts'

interface Held {
  readonly slot: Slot
  readonly origin: Origin
}

/** A `SnapshotDraft` in plain arrays, which remembers what it was offered and can follow a committed one. */
export class RecordedDraft implements SnapshotDraft {
  readonly memory: unknown
  readonly rejected: Rejected[] = []
  readonly held = new Map<string, Held>()
  /** Of all slots that were offered: how often each way. */
  readonly counts = { kept: 0, put: 0, withheld: 0, flushed: 0, partsKept: 0 }
  isRecalled = false
  readonly #before: ReadonlyMap<string, Held>
  readonly #byFingerprint: Map<number, Held>

  constructor(memory: unknown = undefined, before: ReadonlyMap<string, Held> = new Map()) {
    this.memory = memory
    this.#before = before
    this.#byFingerprint = new Map([...before.values()].map((held) => [held.origin.fingerprint, held]))
  }

  /** The draft of the next publication after this one; its memory has been through JSON, as a store does it. */
  next(publication: Publication): RecordedDraft {
    return new RecordedDraft(
      JSON.parse(JSON.stringify(publication.memory)),
      publication.unchanged ? this.#before : this.held,
    )
  }

  get slots(): Slot[] {
    return [...this.held.values()].map(({ slot }) => slot)
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

  keepPart(part: number): number {
    assert.ok(this.isRecalled, 'keepPart() must come after recall()')
    const ofPart = [...this.#before.values()].filter(({ origin }) => origin.part === part)
    for (const held of ofPart) this.held.set(held.slot.id, held)
    this.counts.partsKept++
    return ofPart.length
  }

  put(slot: Slot, origin: Origin): void {
    const { file, line } = origin
    if (this.held.has(slot.id)) {
      this.reject({ file, line, reason: 'the slot must be published once: got "twice"', sample: '' })
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
