// Hot path

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** An array of numbers that grows. `values` may be longer than `length`; it is replaced when it grows. */
export class Column<Values extends Numbers> {
  values: Values
  length = 0
  readonly #type: new (
    length: number,
  ) => Values

  constructor(type: new (length: number) => Values) {
    this.#type = type
    this.values = new type(1024)
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      // By a quarter: each serving thread has some 300 bytes of columns per offering.
      const larger = new this.#type(Math.ceil(this.length * 1.25))
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }
}
