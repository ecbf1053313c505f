import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { mix } from '../demo/mix.ts'
import { SampleFeed, type SampleSlot } from '../demo/sample-feed.ts'
import { BENCH_DIRECTORY_TYPES, benchDirectory, formatBenchSlot } from './bench-lines.ts'

export interface BenchFile {
  readonly type: string
  readonly name: string
  readonly state: string | undefined
  readonly bytes: number
  readonly etag: string
}

const PIECE_CHARACTERS = 1_048_576

/**
 * A feed of exactly `slots` slots, rendered into a folder: one file per type, and one Slot file per state.
 *
 * About 350 bytes per slot. Time does not change it: only `change()` does, which renders the Slot files again.
 */
export class BenchFeed {
  readonly #folder: string
  readonly #feed: SampleFeed
  readonly #nowMs: number
  /** How often each slot was changed, by its index in the feed. */
  readonly #changes: Uint8Array
  #publication = 0

  constructor(folder: string, options: { slots: number; seed: number; nowMs: number }) {
    this.#folder = folder
    this.#feed = new SampleFeed(options.slots, options.seed)
    this.#nowMs = options.nowMs
    this.#changes = new Uint8Array(options.slots)
  }

  async render(): Promise<BenchFile[]> {
    const files: BenchFile[] = []
    for (const type of BENCH_DIRECTORY_TYPES) {
      const lines = benchDirectory(type, this.#feed.states)
      files.push(await this.#write({ type, name: `${type}.ndjson`, state: undefined }, lines))
    }
    let place = 0
    for (const { state, quota } of this.#feed.states) {
      const lines = this.#slotLines(state.code, { first: place, quota })
      files.push(await this.#write({ type: 'Slot', name: `slots-${state.code}.ndjson`, state: state.code }, lines))
      place += quota
    }
    return files
  }

  /** Changes a share of the slots (0 to 1), evenly distributed. Returns the number; `render()` publishes them. */
  change(share: number): number {
    this.#publication += 1
    let changed = 0
    for (let place = 0; place < this.#changes.length; place++) {
      if (mix(place, this.#publication) >= share * 2 ** 32) continue
      this.#changes[place] += 1
      changed += 1
    }
    return changed
  }

  *#slotLines(code: string, part: { first: number; quota: number }): Generator<string> {
    let place = part.first
    const end = part.first + part.quota
    for (const slot of this.#feed.slots(code, this.#nowMs)) {
      if (place === end) return
      yield formatBenchSlot(changedSlot(slot, this.#changes[place], place))
      place += 1
    }
    if (place !== end)
      throw new Error(`Cannot render ${code}: slots must be ${part.quota}: got "${place - part.first}"`)
  }

  async #write(file: Pick<BenchFile, 'type' | 'name' | 'state'>, lines: Iterable<string>): Promise<BenchFile> {
    const path = join(this.#folder, file.name)
    const out = createWriteStream(path, { highWaterMark: PIECE_CHARACTERS })
    let piece = ''
    const put = async () => {
      if (!out.write(piece)) await new Promise<void>((resolve) => out.once('drain', resolve))
      piece = ''
    }
    for (const line of lines) {
      piece += `${line}\n`
      if (piece.length >= PIECE_CHARACTERS) await put()
    }
    await put()
    out.end()
    await finished(out)
    // Directory files never change, so they keep their entity tag.
    const publication = file.type === 'Slot' ? this.#publication : 0
    return { ...file, bytes: (await stat(path)).size, etag: `"${file.name}-${publication}"` }
  }
}

/** Three in four changes toggle the status, the fourth moves the time by five minutes, which replaces the slot. */
function changedSlot(slot: SampleSlot, changes: number, place: number): SampleSlot {
  if (changes % 2 === 0) return slot
  if (place % 4 === 3) return { ...slot, startMinute: slot.startMinute + 5 }
  return { ...slot, status: slot.status === 'free' ? 'busy' : 'free' }
}
