/** Row numbers one after the other, four bytes each. */
export class RowVector {
  /** What was pushed stands before `length`. */
  rows = new Uint32Array(256)
  length = 0

  push(row: number): void {
    if (this.length === this.rows.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.rows)
      this.rows = grown
    }
    this.rows[this.length++] = row
  }
}
