import type { Steps } from '../lib/steps.ts'
import { type CommittedRevision, emptyContent, type IndexContent } from './index-content.ts'
import type { PackedOfferings } from './offerings/pack-offerings.ts'
import type { KnownOfferings, SharedOfferings } from './offerings/shared-offerings.ts'
import type { Levels, RunState } from './runs/levels.ts'
import { RowSubset } from './runs/row-subset.ts'
import { Run } from './runs/run.ts'
import type { SlotForm } from './runs/slot-texts.ts'
import type { SharedHorizons } from './shared-horizons.ts'

/** A state of an index as it is sent to another thread: what is new since the state before, and the numbers of what is not. */
export interface SentContent {
  /** Nothing of the states before is used any more. */
  readonly isWhole: boolean
  /** Of a saved state; else the next is undefined only if no offerings are new. */
  readonly packed: readonly PackedOfferings[]
  readonly offerings: SharedOfferings | undefined
  readonly forms: readonly SlotForm[]
  readonly prefixes: readonly string[]
  /** The memory of runs and subsets, by their numbers. */
  readonly memory: ReadonlyMap<number, SharedArrayBuffer>
  /** By status. */
  readonly levels: readonly SentLevels[]
  readonly homeRevisions: ReadonlyMap<number, number>
  readonly lastDrop: number
  readonly horizons: ReadonlyMap<string, SharedHorizons>
  readonly committed: CommittedRevision
  readonly missing: number
}

interface SentLevels {
  readonly zero: readonly SentState[]
  readonly one: readonly SentState[]
}

interface SentState {
  readonly run: number
  readonly from: number
  readonly gone: number | undefined
}

/** Sends the states of one `IndexBuilder` in their order. */
export class ContentSender {
  readonly #numbers = new WeakMap<SharedArrayBuffer, number>()
  #lastNumber = 0
  #sent: ReadonlySet<number> = new Set()
  #tables: object | undefined
  #offerings: KnownOfferings | undefined
  #forms = 0
  #prefixes = 0

  /** Sends everything next time. */
  reset(): void {
    this.#tables = undefined
  }

  pack({ tables, levels, homeRevisions, lastDrop, horizons, committed, missing }: IndexContent): SentContent {
    const isWhole = this.#tables !== tables
    if (isWhole) this.#begin(tables)
    const memory = new Map<number, SharedArrayBuffer>()
    const sent = new Set<number>()
    const numberOf = (buffer: SharedArrayBuffer) => {
      const number = this.#numberOf(buffer)
      sent.add(number)
      if (!this.#sent.has(number)) memory.set(number, buffer)
      return number
    }
    const packState = ({ run, from, gone }: RunState): SentState => ({
      run: numberOf(run.memory),
      from,
      gone: gone && numberOf(gone.memory),
    })
    const content = {
      isWhole,
      packed: [],
      offerings: tables.offerings.share(this.#offerings),
      forms: tables.forms.slice(this.#forms),
      prefixes: tables.prefixes.slice(this.#prefixes),
      memory,
      levels: levels.map(({ zero, one }) => ({ zero: zero.map(packState), one: one.map(packState) })),
      homeRevisions,
      lastDrop,
      horizons,
      committed,
      missing,
    }
    this.#sent = sent
    this.#offerings = tables.offerings.known
    this.#forms = tables.forms.length
    this.#prefixes = tables.prefixes.length
    return content
  }

  #begin(tables: object): void {
    this.#tables = tables
    this.#sent = new Set()
    this.#offerings = undefined
    this.#forms = 0
    this.#prefixes = 0
  }

  #numberOf(memory: SharedArrayBuffer): number {
    const number = this.#numbers.get(memory) ?? ++this.#lastNumber
    this.#numbers.set(memory, number)
    return number
  }
}

interface GrowingTexts {
  readonly forms: SlotForm[]
  readonly prefixes: string[]
}

/** Restores the states that a `ContentSender` sends. */
export class ContentReceiver {
  readonly #newTexts: () => GrowingTexts
  #texts: GrowingTexts
  #tables = emptyContent().tables
  #runs = new Map<number, Run>()
  #subsets = new Map<number, RowSubset>()
  #hasBegun = false

  /** `newTexts`: where the texts of rows are kept. */
  constructor(newTexts = (): GrowingTexts => ({ forms: [], prefixes: [] })) {
    this.#newTexts = newTexts
    this.#texts = newTexts()
  }

  /** The state; undefined if it builds on states that were not received. Yields after each packed offering, and between terms. */
  *unpack(sent: SentContent): Steps<IndexContent | undefined> {
    if (sent.isWhole) this.#begin()
    if (!this.#hasBegun) return undefined
    this.#texts.forms.push(...sent.forms)
    this.#texts.prefixes.push(...sent.prefixes)
    for (const packed of sent.packed) yield* this.#tables.put(packed)
    if (sent.offerings !== undefined) {
      this.#tables.offerings.show(sent.offerings)
      yield* this.#tables.offerings.terms.prepareFind()
    }
    const [runs, subsets] = [new Map<number, Run>(), new Map<number, RowSubset>()]
    const unpackState = ({ run, from, gone }: SentState): RunState => ({
      run: known(run, runs, () => this.#runs.get(run) ?? new Run(memoryOf(sent, run))),
      from,
      gone:
        gone === undefined
          ? undefined
          : known(gone, subsets, () => this.#subsets.get(gone) ?? new RowSubset(memoryOf(sent, gone))),
    })
    const levels = sent.levels.map(
      ({ zero, one }): Levels => ({ zero: zero.map(unpackState), one: one.map(unpackState) }),
    )
    this.#runs = runs
    this.#subsets = subsets
    const { homeRevisions, lastDrop, horizons, committed, missing } = sent
    return { tables: this.#tables, levels, homeRevisions, lastDrop, horizons, committed, missing }
  }

  #begin(): void {
    this.#texts = this.#newTexts()
    this.#tables = emptyContent(this.#texts).tables
    this.#runs = new Map()
    this.#subsets = new Map()
    this.#hasBegun = true
  }
}

function known<Value>(number: number, values: Map<number, Value>, find: () => Value): Value {
  const value = values.get(number) ?? find()
  values.set(number, value)
  return value
}

function memoryOf({ memory }: SentContent, number: number): SharedArrayBuffer {
  const found = memory.get(number)
  if (found === undefined) throw new Error('Cannot show the state of the index: a part of it was not received')
  return found
}
