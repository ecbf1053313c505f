import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { SortedRows } from './build-run.ts'
import { RowPacker, type SlotToPack } from './pack-rows.ts'
import { RUN_ROWS_MAX } from './run-layout.ts'
import type { SlotTexts } from './slot-texts.ts'

/** Packs slots of all statuses into blocks of at most `RUN_ROWS_MAX` sorted rows. */
export class StatusPackers {
  /** By status. */
  readonly #packers: readonly RowPacker[]
  #blocks: SortedRows[][] = emptyBlocks()

  constructor(texts: SlotTexts) {
    this.#packers = SLOT_STATUSES.map(() => new RowPacker(texts))
  }

  /** `offering`: a number. */
  add(status: number, slot: SlotToPack, offering: number): void {
    const packer = this.#packers[status]
    packer.add(slot, offering)
    if (packer.count === RUN_ROWS_MAX) this.#blocks[status].push(packer.take())
  }

  /** Adds blocks by status. */
  push(blocks: readonly (readonly SortedRows[])[]): void {
    for (const [status, added] of blocks.entries()) this.#blocks[status].push(...added)
  }

  /** The blocks by status; then there are none. */
  take(): SortedRows[][] {
    for (const [status, packer] of this.#packers.entries())
      if (packer.count > 0) this.#blocks[status].push(packer.take())
    const blocks = this.#blocks
    this.#blocks = emptyBlocks()
    return blocks
  }
}

function emptyBlocks(): SortedRows[][] {
  return SLOT_STATUSES.map(() => [])
}
