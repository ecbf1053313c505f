// Hot path

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** The numbers of a column as they are sent to another thread. */
export interface SharedColumn<Values extends Numbers = Numbers> {
  readonly values: Values
  readonly length: number
}

/**
 * An array of numbers that grows, in shared memory: one thread writes it, and others read the numbers that were there when it was shared
 * with them. `values` may be longer than `length`; it is replaced when it grows.
 */
export class Column<Values extends Numbers = Numbers> {
  values: Values
  length = 0

  constructor(type: new (memory: SharedArrayBuffer) => Values) {
    this.values = new type(new SharedArrayBuffer(MIN_BYTES))
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length++] = value
  }

  /** Makes room for so many numbers more. */
  reserve(added: number): void {
    const { values, length } = this
    if (length + added <= values.length) return
    const Type = values.constructor as new (memory: SharedArrayBuffer) => Values
    // By a quarter: there are some 200 bytes of columns per offering.
    const larger = Math.max(length + added, Math.ceil(length * 1.25))
    this.values = new Type(new SharedArrayBuffer(larger * values.BYTES_PER_ELEMENT))
    this.values.set(values)
  }

  share(): SharedColumn<Values> {
    return { values: this.values, length: this.length }
  }

  /** Reads the column of another thread. */
  show({ values, length }: SharedColumn<Values>): void {
    this.values = values
    this.length = length
  }
}

const MIN_BYTES = 4096

/** A copy of numbers in shared memory. */
export function sharedCopy<Values extends Numbers>(values: Values): Values {
  const Type = values.constructor as new (memory: SharedArrayBuffer) => Values
  const copy = new Type(new SharedArrayBuffer(values.byteLength))
  copy.set(values)
  return copy
}
