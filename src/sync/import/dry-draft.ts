import type { Origin, Rejected, SnapshotDraft } from '../../feeds/connector.ts'
import { IdSet } from '../../feeds/id-set.ts'
import type { Slot } from '../../slot/slot.ts'
import { RejectionSample } from '../rejection-sample.ts'

/** A draft that is never written: it counts what a sync would, and keeps nothing but ids (24 bytes each) and a few rejections. */
export class DryDraft implements SnapshotDraft {
  readonly memory = undefined
  readonly rejections = new RejectionSample()
  slots = 0
  withheld = 0
  readonly #ids = new IdSet()

  get read(): number {
    return this.slots + this.withheld + this.rejections.count
  }

  async recall(): Promise<void> {}

  keep(): boolean {
    return false
  }

  keepPart(): number {
    return 0
  }

  put(slot: Slot, { file, line }: Origin): void {
    if (this.#ids.add(slot.id)) this.slots++
    else this.reject(publishedTwice(slot, file, line))
  }

  reject(rejected: Rejected): void {
    this.rejections.add(rejected)
  }

  withhold(): void {
    this.withheld++
  }

  async flush(): Promise<void> {}
}

function publishedTwice({ start, offering }: Slot, file: string, line: number): Rejected {
  const where = `Slot at "${start}" of Schedule "${offering.scheduleId}" is there twice`
  return {
    file,
    line,
    reason: `${where}: Schedule, id, start and end must be unique together`.slice(0, 300),
    sample: '',
  }
}
