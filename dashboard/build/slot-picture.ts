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

const TILE = 44
const GAP = 4
const STEP = TILE + GAP

/** The illustration of the front page: slots by state. Not live data. */
export function slotIllustration(): string {
  const tiles = MAP.flatMap((line, row) =>
    Array.from({ length: line.length / 2 }, (_, column) => ({
      state: line.slice(column * 2, column * 2 + 2).trim(),
      x: column * STEP,
      y: row * STEP,
    })),
  ).filter(({ state }) => state !== '')
  const width = 11 * STEP - GAP
  const height = MAP.length * STEP - GAP
  return (
    `<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-label="A map of the United States in tiles, each with slots that are open or taken">` +
    `${tiles.map(tile).join('')}</svg>`
  )
}

function tile({ state, x, y }: { state: string; x: number; y: number }): string {
  const slots = [0, 1, 2, 3, 4, 5].map((n) => {
    const shade = shadeOf(state, n)
    return `<rect class="s${shade}" x="${x + 7 + (n % 3) * 10.5}" y="${y + 20 + Math.floor(n / 3) * 10}" width="9" height="8" rx="2"/>`
  })
  return `<rect class="tile" x="${x}" y="${y}" width="${TILE}" height="${TILE}" rx="7"/><text x="${x + 7}" y="${y + 15}">${state}</text>${slots.join('')}`
}

/** Deterministic pseudo-random shades. */
function shadeOf(state: string, n: number): number {
  const mixed = Math.imul(state.charCodeAt(0) * 31 + state.charCodeAt(1) * 7 + n * 13, 2_654_435_761) >>> 16
  return [0, 0, 1, 2, 2, 3, 3][mixed % 7]
}
