// Hot path

const ROWS_MIN = 256

/** A growable array of row numbers. */
export class RowVector {
  /** Valid up to `length`. */
  rows: Uint32Array
  length = 0

  constructor(rowsExpected = ROWS_MIN) {
    this.rows = new Uint32Array(rowsExpected)
  }

  push(row: number): void {
    if (this.length === this.rows.length) {
      const grown = new Uint32Array(Math.max(ROWS_MIN, this.length * 2))
      grown.set(this.rows)
      this.rows = grown
    }
    this.rows[this.length++] = row
  }
}
