import { STATE_TILES, TILE_COLUMNS, TILE_ROWS } from '../src/components/state-tiles.ts'

const TILE = 44
const GAP = 4
const STEP = TILE + GAP

/** The extent of the map. */
export const TILE_MAP = { width: TILE_COLUMNS * STEP - GAP, height: TILE_ROWS * STEP - GAP } as const

/** A tile of the map and the slots on it, whose shades are 0 to 3. */
interface SlotTile {
  readonly state: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly slots: readonly { x: number; y: number; width: number; height: number; shade: number }[]
}

/** The tiles of all states. The slots are not live data. */
export function slotTiles(): SlotTile[] {
  return STATE_TILES.map(({ state, row, column }) => tileOf(state, column * STEP, row * STEP))
}

/**
 * The tile map of the front page: an illustration, in which `site/live-counts.ts` writes the counts of now (`.n`) in the place of
 * the drawn slots.
 */
export function slotIllustration(): string {
  const { width, height } = TILE_MAP
  return (
    `<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-label="A map of the United States in tiles, each with slots that are open or taken">` +
    `${slotTiles().map(draw).join('')}</svg>`
  )
}

function tileOf(state: string, x: number, y: number): SlotTile {
  const slots = [0, 1, 2, 3, 4, 5].map((n) => ({
    x: x + 7 + (n % 3) * 10.5,
    y: y + 20 + Math.floor(n / 3) * 10,
    width: 9,
    height: 8,
    shade: shadeOf(state, n),
  }))
  return { state, x, y, size: TILE, slots }
}

function draw({ state, x, y, size, slots }: SlotTile): string {
  const marks = slots.map(
    ({ shade, ...at }) =>
      `<rect class="s${shade}" x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}" rx="2"/>`,
  )
  return (
    `<g data-state="${state}"><rect class="tile" x="${x}" y="${y}" width="${size}" height="${size}" rx="7"/>` +
    `<text x="${x + 7}" y="${y + 15}">${state}</text><text class="n" x="${x + 37}" y="${y + 34}"/>${marks.join('')}</g>`
  )
}

/** Deterministic pseudo-random shades. */
function shadeOf(state: string, n: number): number {
  const mixed = Math.imul(state.charCodeAt(0) * 31 + state.charCodeAt(1) * 7 + n * 13, 2_654_435_761) >>> 16
  return [0, 0, 1, 2, 2, 3, 3][mixed % 7]
}
