// Hot path
import { encodeOffering } from '../slot/encode-slot.ts'
import type { Traits } from '../slot/filter-values.ts'
import type { Offering } from '../slot/slot.ts'
import { bucketsOf, primaryBucketOf } from './buckets.ts'
import { ByteArena, type Owners } from './byte-arena.ts'
import { FilterValuePool } from './filter-value-pool.ts'
import { OfferingTerms } from './offering-terms.ts'

/**
 * What many slots share, once each: its JSON outside the heap, the posting lists it puts its slots in, and its traits, of which
 * those that are asked of all at once stand in columns as well.
 * Numbered densely from 0; a number is taken again once no slot refers to it.
 */
export class OfferingTable implements Owners {
  readonly arena = new ByteArena()
  addresses = new Uint32Array(256)
  /** The place where all its slots are listed, among as few others as possible. */
  primaryBuckets = new Uint32Array(256)
  /** Decimal degrees; NaN where there are none. */
  latitudes = new Float64Array(256)
  longitudes = new Float64Array(256)
  readonly buckets: (readonly number[])[] = []
  readonly traits: (Traits | undefined)[] = []
  readonly terms = new OfferingTerms()
  readonly #pool = new FilterValuePool()
  readonly #storeIds: number[] = []
  readonly #references: number[] = []
  readonly #numbers = new Map<number, number>()
  readonly #free: number[] = []
  #puts = 0

  /** How often an offering came: another number, other offerings. */
  get puts(): number {
    return this.#puts
  }

  /** Numbers are below this. */
  get end(): number {
    return this.traits.length
  }

  /** The number of an offering by its id in the store; undefined if it is not here. */
  find(storeId: number): number | undefined {
    return this.#numbers.get(storeId)
  }

  put(storeId: number, offering: Offering): void {
    const number = this.#free.pop() ?? this.traits.length
    if (number >= this.addresses.length) this.#grow()
    const json = Buffer.from(encodeOffering(offering))
    this.addresses[number] = this.arena.put(number, json, 0, json.length)
    const traits = this.#pool.traitsOf(offering)
    this.buckets[number] = bucketsOf(offering)
    this.primaryBuckets[number] = primaryBucketOf(offering)
    this.traits[number] = traits
    this.terms.put(number, offering, traits.actorKey)
    this.latitudes[number] = traits.latitude
    this.longitudes[number] = traits.longitude
    this.#storeIds[number] = storeId
    this.#references[number] = 0
    this.#numbers.set(storeId, number)
    this.#puts++
  }

  /** One slot more refers to it. */
  retain(number: number): void {
    this.#references[number]++
  }

  /** One slot fewer refers to it; with the last one it goes. */
  release(number: number): void {
    if (--this.#references[number] > 0) return
    this.#numbers.delete(this.#storeIds[number])
    this.arena.release(this.addresses[number])
    // No address of the arena: the bytes left behind have no owner.
    this.addresses[number] = 0xffff_ffff
    this.traits[number] = undefined
    this.terms.release(number)
    this.latitudes[number] = Number.NaN
    this.#free.push(number)
  }

  addressOf(number: number): number {
    return this.addresses[number]
  }

  moveTo(number: number, address: number): void {
    this.addresses[number] = address
  }

  #grow(): void {
    const length = this.addresses.length * 2
    this.addresses = copied(new Uint32Array(length), this.addresses)
    this.primaryBuckets = copied(new Uint32Array(length), this.primaryBuckets)
    this.latitudes = copied(new Float64Array(length), this.latitudes)
    this.longitudes = copied(new Float64Array(length), this.longitudes)
  }
}

function copied<Column extends Uint32Array | Float64Array>(target: Column, source: Column): Column {
  target.set(source)
  return target
}
