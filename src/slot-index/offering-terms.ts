import type { Offering } from '../slot/slot.ts'
import { StringTable } from './string-table.ts'

/** What slots are counted by beside places, each under a number: columns by the offering's number. */
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

/** What kind of service: a publisher's code, and what it means. */
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
