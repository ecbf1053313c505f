import { NO_CELL } from '../offerings/circle-spans.ts'
import { placeFrom } from '../sorted-lists.ts'

/** The rows of a run by cell, in columns: see `cellOf()`. Rows without a position are in none. */
export interface CellRows {
  /** Ascending. */
  readonly cells: Uint32Array
  /** Where the rows of each cell end in `cellRows`. */
  readonly cellEnds: Uint16Array
  /** Ascending within a cell. */
  readonly cellRows: Uint16Array
}

/** By offering, the place of its cell. Only those of the offerings of a run are valid. */
let places = new Uint32Array(1024)

/** A counting sort of rows 0, 1, 2, … with these offerings, of which `distinct` are the distinct ones. `cellOf`: by offering. */
export function groupByCell(offerings: Uint32Array, distinct: Uint32Array, cellOf: Uint32Array): CellRows {
  const all = Uint32Array.from(new Set(distinct.map((offering) => cellOf[offering]))).sort()
  const cells = all.at(-1) === NO_CELL ? all.subarray(0, -1) : all
  if (places.length < cellOf.length) places = new Uint32Array(cellOf.length)
  for (const offering of distinct) places[offering] = placeFrom(cells, cellOf[offering])
  const ends = new Uint32Array(cells.length + 1)
  for (const offering of offerings) ends[places[offering]]++
  let end = 0
  for (let place = 0; place < cells.length; place++) {
    end += ends[place]
    ends[place] = end - ends[place]
  }
  const cellRows = new Uint16Array(end)
  for (let row = 0; row < offerings.length; row++) {
    const place = places[offerings[row]]
    if (place < cells.length) cellRows[ends[place]++] = row
  }
  return { cells, cellEnds: Uint16Array.from(ends.subarray(0, -1)), cellRows }
}
