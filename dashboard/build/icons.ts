import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { icoOf, Pixels } from './pixels.ts'
import { slotTiles, TILE_MAP } from './slot-picture.ts'

const BRAND = '#087f5b'
const WHITE = '#ffffff'
const SHADES = ['#e9edf0', '#96f2d7', '#38d9a9', '#0ca678'] as const

/** Size of a social preview, as Open Graph and Twitter cards show it whole. */
export const PREVIEW = { width: 1200, height: 630 } as const

/** Writes the icons of browsers and phones and the social preview. They have no words, so they suit every name of a service. */
export function writeIcons(folder: string): void {
  const write = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes)
  write('favicon.ico', icoOf(icon(32)))
  write('apple-touch-icon.png', icon(180).png())
  write('social-preview.png', preview().png())
}

/** Square: browsers and phones round the corners themselves. */
function icon(size: number): Pixels {
  const pixels = new Pixels(size, size, BRAND)
  drawLogo(pixels, { x: 0, y: 0, size })
  return pixels
}

/** The logo beside the tile map of the front page. */
function preview(): Pixels {
  const pixels = new Pixels(PREVIEW.width, PREVIEW.height, WHITE)
  const scale = 1.28
  const left = PREVIEW.width - TILE_MAP.width * scale - 70
  const top = (PREVIEW.height - TILE_MAP.height * scale) / 2
  for (const { x, y, size, slots } of slotTiles()) {
    const at = { x: left + x * scale, y: top + y * scale, width: size * scale, height: size * scale, radius: 9 }
    pixels.fill({ ...at, color: '#e1e5e9' })
    const inner = { x: at.x + 1.5, y: at.y + 1.5, width: at.width - 3, height: at.height - 3, radius: 7.5 }
    pixels.fill({ ...inner, color: '#f6f8f9' })
    for (const slot of slots)
      pixels.fill({
        x: left + slot.x * scale,
        y: top + (slot.y - 6) * scale,
        width: slot.width * scale,
        height: slot.height * scale,
        radius: 2.5,
        color: SHADES[slot.shade],
      })
  }
  drawLogo(pixels, { x: 80, y: (PREVIEW.height - 280) / 2, size: 280 })
  return pixels
}

/** As in public/favicon.svg, whose side is 32. */
function drawLogo(pixels: Pixels, { x, y, size }: { x: number; y: number; size: number }): void {
  const scale = size / 32
  pixels.fill({ x, y, width: size, height: size, radius: 7 * scale, color: BRAND })
  for (let n = 0; n < 6; n++)
    pixels.fill({
      x: x + (7 + (n % 3) * 6.5) * scale,
      y: y + (n < 3 ? 8 : 17) * scale,
      width: 5 * scale,
      height: 7 * scale,
      radius: 1.5 * scale,
      color: WHITE,
      opacity: n % 2 === 0 ? 1 : 0.45,
    })
}
