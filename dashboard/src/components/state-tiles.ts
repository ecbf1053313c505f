/** A tile map of the states: one row per line, two characters per tile. */
const MAP = [
  'AK                  ME',
  '                  VTNH',
  'WAIDMTNDMNWI  MINYMARI',
  'ORNVWYSDIAILINOHPANJCT',
  'CAUTCONEMOKYWVVAMDDE  ',
  '  AZNMKSARTNNCSCDC    ',
  '      OKLAMSALGA      ',
  'HI    TX        FL    ',
]

/** The place of a state in the tile map; rows and columns count from 0. */
export interface StateTile {
  readonly state: string
  readonly row: number
  readonly column: number
}

/** The 50 states and DC, row by row. */
export const STATE_TILES: readonly StateTile[] = MAP.flatMap((line, row) =>
  Array.from({ length: line.length / 2 }, (_, column) => ({
    state: line.slice(column * 2, column * 2 + 2).trim(),
    row,
    column,
  })),
).filter(({ state }) => state !== '')

const STATES: ReadonlySet<string> = new Set(STATE_TILES.map(({ state }) => state).filter((state) => state !== 'DC'))

/** "50 states and DC", "1 state and 2 other regions"; empty without a code. */
export function countRegions(codes: readonly string[]): string {
  const states = codes.filter((code) => STATES.has(code)).length
  const dc = codes.includes('DC')
  const others = codes.length - states - (dc ? 1 : 0)
  const parts = [
    states > 0 && `${states} ${states === 1 ? 'state' : 'states'}`,
    dc && 'DC',
    others > 0 && `${others} ${others === codes.length ? '' : 'other '}${others === 1 ? 'region' : 'regions'}`,
  ]
  return LIST.format(parts.filter((part) => part !== false))
}

const LIST = new Intl.ListFormat('en-US')

export const TILE_COLUMNS = 11
export const TILE_ROWS = MAP.length

/** The tiles with those of other regions below the map, as many in a row as the map has columns. */
export function withOtherRegions(regions: readonly string[]): readonly StateTile[] {
  return [
    ...STATE_TILES,
    ...regions.map((state, n) => ({
      state,
      row: TILE_ROWS + Math.floor(n / TILE_COLUMNS),
      column: n % TILE_COLUMNS,
    })),
  ]
}

/** The next tile in the direction of an arrow key; undefined for other keys and at the edge. */
export function neighborTile(tiles: readonly StateTile[], from: StateTile, key: string): StateTile | undefined {
  const steps = (tile: StateTile) => ({ down: tile.row - from.row, right: tile.column - from.column })
  const rank = RANKS[key]
  if (rank === undefined) return undefined
  let best: { readonly tile: StateTile; readonly rank: number } | undefined
  for (const tile of tiles) {
    const ranked = rank(steps(tile))
    if (ranked !== undefined && (best === undefined || ranked < best.rank)) best = { tile, rank: ranked }
  }
  return best?.tile
}

interface Steps {
  readonly down: number
  readonly right: number
}

/** How far a tile is in the direction of a key; undefined if it is not. Up and down prefer the nearest row, then the nearest column. */
const RANKS: Readonly<Record<string, (steps: Steps) => number | undefined>> = {
  ArrowRight: ({ down, right }) => (down === 0 && right > 0 ? right : undefined),
  ArrowLeft: ({ down, right }) => (down === 0 && right < 0 ? -right : undefined),
  ArrowDown: ({ down, right }) => (down > 0 ? down * TILE_COLUMNS + Math.abs(right) : undefined),
  ArrowUp: ({ down, right }) => (down < 0 ? -down * TILE_COLUMNS + Math.abs(right) : undefined),
}
