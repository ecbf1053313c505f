import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { PackedSlots } from '../slot-index/packed-slots.ts'
import type { MinuteRange } from '../slot-index/runs/build-range.ts'
import type { SortedRows } from '../slot-index/runs/build-run.ts'
import type { RunContext } from '../slot-index/runs/levels.ts'
import { Run } from '../slot-index/runs/run.ts'
import type { KeyRange } from '../store/contracts/revision-feed.ts'
import type { SlotLoader } from '../sync/load-slots.ts'
import { Channel } from './channel.ts'
import type { ParentOperations, ThreadOperations } from './supervised-worker.ts'

export interface LoadOptions {
  readonly databaseUrl: string
  /** How many threads load. */
  readonly threads: number
}

/** See `SlotLoader`. */
export interface LoadOperations extends ThreadOperations {
  open(): number
  pack(keys: KeyRange): PackedSlots
  count(keys: KeyRange): number
  takeContext(context: RunContext): void
  takeBlocks(blocks: readonly SortedRows[]): void
  /** The memory of the runs. */
  build(range: MinuteRange): readonly SharedArrayBuffer[]
}

/** More wait for the thread that puts offerings. */
const LOADERS_MAX = 4

/** Starts a thread for each processor, unless there is only one. They use much memory, which is free when they end. */
export function startLoaders(databaseUrl: string, parallelism = availableParallelism()): SlotLoader[] {
  const threads = Math.min(parallelism, LOADERS_MAX)
  return threads < 2 ? [] : Array.from({ length: threads }, () => new LoadWorker({ databaseUrl, threads }))
}

class LoadWorker implements SlotLoader {
  readonly #channel: Channel<LoadOperations, ParentOperations>
  #reason: unknown

  constructor(options: LoadOptions) {
    const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: options })
    this.#channel = new Channel<LoadOperations, ParentOperations>(worker, { log: () => undefined })
    worker.on('error', (error) => {
      this.#reason = error
    })
  }

  open(): Promise<number> {
    return this.#reply(this.#channel.request('open', undefined))
  }

  async pack(keys: KeyRange): Promise<PackedSlots> {
    const packed = await this.#reply(this.#channel.request('pack', keys))
    return { ...packed, blocks: packed.blocks.map(receivedBlocks) }
  }

  count(keys: KeyRange): Promise<number> {
    return this.#reply(this.#channel.request('count', keys))
  }

  takeContext(context: RunContext): Promise<void> {
    return this.#reply(this.#channel.request('takeContext', context))
  }

  takeBlocks(blocks: readonly SortedRows[]): Promise<void> {
    return this.#reply(this.#channel.request('takeBlocks', blocks))
  }

  async build(range: MinuteRange): Promise<readonly Run[]> {
    const memory = await this.#reply(this.#channel.request('build', range))
    return memory.map((each) => new Run(each))
  }

  async close(): Promise<void> {
    this.#channel.post('stop', undefined)
    await this.#channel.closed
  }

  /** If the thread has ended, rejects with the reason. */
  async #reply<T>(reply: Promise<T>): Promise<T> {
    try {
      return await reply
    } catch (error) {
      throw this.#reason ?? error
    }
  }
}

/** Blocks from another thread: a message makes other arrays of Node's buffers. */
export function receivedBlocks(blocks: readonly SortedRows[]): SortedRows[] {
  return blocks.map((rows) => {
    const { buffer, byteOffset, byteLength } = rows.arena
    return { ...rows, arena: Buffer.from(buffer, byteOffset, byteLength) }
  })
}
