// Hot path

import { type FilterValues, filterValuesOf } from '../slot/filter-values.ts'
import { encodeOffering, type Modality, type Offering } from '../slot/slot.ts'
import { bucketsOf, primaryBucketOf } from './buckets.ts'
import { ByteArena, type Owners } from './byte-arena.ts'
import { StringTable } from './string-table.ts'

/**
 * The offerings, reference-counted by their slots: JSON outside the heap, buckets, and filter values, of which those that
 * are scanned over all offerings are also stored in columns. Numbers are dense from 0 and reused.
 */
export class OfferingTable implements Owners {
  readonly arena = new ByteArena()
  addresses = new Uint32Array(256)
  /** The bucket that lists all its slots among as few others as possible. */
  primaryBuckets = new Uint32Array(256)
  /** Decimal degrees; NaN where there are none. */
  latitudes = new Float64Array(256)
  longitudes = new Float64Array(256)
  readonly buckets: (readonly number[])[] = []
  readonly traits: (FilterValues | undefined)[] = []
  readonly terms = new OfferingTerms()
  readonly #pool = new FilterValuePool()
  readonly #storeIds: number[] = []
  readonly #references: number[] = []
  readonly #numbers = new Map<number, number>()
  readonly #free: number[] = []
  #puts = 0

  /** Number of offerings added so far; a different number means different offerings. */
  get puts(): number {
    return this.#puts
  }

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.traits.length
  }

  /** The number of an offering by its id in the store; undefined if it is not in the table. */
  find(storeId: number): number | undefined {
    return this.#numbers.get(storeId)
  }

  put(storeId: number, offering: Offering): void {
    const number = this.#free.pop() ?? this.traits.length
    if (number >= this.addresses.length) this.#grow()
    const json = Buffer.from(encodeOffering(offering))
    this.addresses[number] = this.arena.put(number, json, 0, json.length)
    const traits = this.#pool.filterValuesOf(offering)
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

  /** Adds a slot's reference. */
  retain(number: number): void {
    this.#references[number]++
  }

  /** Removes a slot's reference; the last one removes the offering. */
  release(number: number): void {
    if (--this.#references[number] > 0) return
    this.#numbers.delete(this.#storeIds[number])
    this.arena.release(this.addresses[number])
    // An invalid address: the released bytes have no owner.
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

/** More distinct strings than cities, codes and specialties amount to; beyond it the pool is cleared. */
const TEXTS_MAX = 100_000

/**
 * Interns the filter values of offerings: equal strings and lists are the same object, which saves memory and makes
 * comparisons a pointer comparison. Unused values stay until the pool is full and is cleared.
 */
export class FilterValuePool {
  readonly #texts = new Map<string, string>()
  readonly #states = new Map<string, readonly string[]>()
  readonly #modes = new Map<string, readonly Modality[]>()

  filterValuesOf(offering: Offering): FilterValues {
    if (this.#texts.size > TEXTS_MAX) this.#texts.clear()
    if (this.#states.size > TEXTS_MAX) this.#states.clear()
    const traits = filterValuesOf(offering)
    return {
      ...traits,
      publisher: this.#text(traits.publisher),
      states: pooled(this.#states, traits.states.join(), traits.states),
      modes: pooled(this.#modes, traits.modes.join(), traits.modes),
      serviceTypeCode: this.#text(traits.serviceTypeCode),
      appointmentType: this.#text(traits.appointmentType),
      city: this.#text(traits.city),
      postalCode: this.#text(traits.postalCode),
      specialty: this.#text(traits.specialty),
    }
  }

  #text<Text extends string | undefined>(text: Text): Text {
    return text === undefined ? text : (pooled(this.#texts, text, text) as Text)
  }
}

function pooled<Value>(pool: Map<string, Value>, name: string, value: Value): Value {
  const known = pool.get(name)
  if (known === undefined) pool.set(name, value)
  return known ?? value
}

/** The facets that slots are counted by besides buckets: numbered values in columns by offering. */
export class OfferingTerms {
  /** See `actorKeyOf()`. */
  readonly actors = new StringTable()
  /** JSON of `ServiceType`. */
  readonly serviceTypes = new StringTable()
  /** As published. */
  readonly specialties = new StringTable()
  actorOf = new Uint32Array(256)
  serviceTypeOf = new Uint32Array(256)
  specialtyOf = new Uint32Array(256)

  put(number: number, offering: Offering, actorKey: string): void {
    while (number >= this.actorOf.length) this.#grow()
    this.actorOf[number] = this.actors.retain(actorKey)
    this.serviceTypeOf[number] = this.serviceTypes.retain(serviceTypeOf(offering))
    this.specialtyOf[number] = this.specialties.retain(offering.provider?.specialty)
  }

  release(number: number): void {
    this.actors.release(this.actorOf[number])
    this.serviceTypes.release(this.serviceTypeOf[number])
    this.specialties.release(this.specialtyOf[number])
  }

  #grow(): void {
    this.actorOf = doubled(this.actorOf)
    this.serviceTypeOf = doubled(this.serviceTypeOf)
    this.specialtyOf = doubled(this.specialtyOf)
  }
}

/** A service type: the publisher's code and its display text. */
export interface ServiceType {
  readonly code?: string
  readonly display?: string
}

function serviceTypeOf({ serviceTypeCode: code, serviceTypeText: display }: Offering): string | undefined {
  if (code === undefined && display === undefined) return undefined
  return JSON.stringify({ code, display } satisfies { [Key in keyof ServiceType]: string | undefined })
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(column.length * 2)
  larger.set(column)
  return larger
}
