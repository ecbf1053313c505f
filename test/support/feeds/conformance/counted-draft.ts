import type { Rejected, SnapshotDraft } from '../../../../src/feeds/connector.ts'
import type { Slot } from '../../../../src/slot/slot.ts'
import { MemoryResources } from '../memory-resources.ts'
import { faultOfRejection, faultOfSlot } from './assess.ts'

/** A draft that counts and validates slots and rejections, and stores none. */
export class CountedDraft implements SnapshotDraft {
  readonly state = undefined
  readonly resources = new MemoryResources()
  readonly counts = { put: 0, rejected: 0, withheld: 0 }
  /** The most memory that was in use at a flush. */
  bytesMost = 0
  readonly #onFlush: () => void

  constructor(onFlush: () => void = () => {}) {
    this.#onFlush = onFlush
  }

  get lines(): number {
    const { put, rejected, withheld } = this.counts
    return put + rejected + withheld
  }

  startUpdate(): never {
    throw new Error('Cannot update: nothing is stored')
  }

  async recall(): Promise<void> {}

  keep(): boolean {
    return false
  }

  keepPart(): boolean {
    return false
  }

  put(slot: Slot): void {
    this.counts.put++
    this.#validate(slot, faultOfSlot(slot))
  }

  reject(rejected: Rejected): void {
    this.counts.rejected++
    this.#validate(rejected, faultOfRejection(rejected))
  }

  withhold(): void {
    this.counts.withheld++
  }

  async flush(): Promise<void> {
    const { heapUsed, external } = process.memoryUsage()
    this.bytesMost = Math.max(this.bytesMost, heapUsed + external)
    this.#onFlush()
  }

  #validate(what: unknown, problem: string | undefined): void {
    if (problem !== undefined) throw new Error(`${problem}: ${JSON.stringify(what).slice(0, 2000)}`)
  }
}
