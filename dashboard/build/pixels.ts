import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue, from 0 to 255. */
type Color = readonly [number, number, number]

/** A rectangle with round corners. `opacity` is 1 by default. */
export interface RoundedRectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly radius: number
  readonly color: string
  readonly opacity?: number
}

/** An opaque picture made of rounded rectangles, with smooth edges. Enough for icons and social previews, without a library. */
export class Pixels {
  readonly width: number
  readonly height: number
  readonly #bytes: Uint8Array

  constructor(width: number, height: number, background: string) {
    this.width = width
    this.height = height
    this.#bytes = new Uint8Array(width * height * 3)
    const color = parseColor(background)
    for (let at = 0; at < this.#bytes.length; at++) this.#bytes[at] = color[at % 3]
  }

  /** The coverage of a pixel follows from its distance to the edge. */
  fill(rectangle: RoundedRectangle): void {
    const { x, y, width, height, color, opacity = 1 } = rectangle
    const paint = parseColor(color)
    for (let row = Math.max(0, Math.floor(y)); row < Math.min(this.height, Math.ceil(y + height)); row++)
      for (let column = Math.max(0, Math.floor(x)); column < Math.min(this.width, Math.ceil(x + width)); column++) {
        const coverage = Math.min(1, Math.max(0, 0.5 - distanceTo(rectangle, column + 0.5, row + 0.5)))
        this.#blend((row * this.width + column) * 3, paint, coverage * opacity)
      }
  }

  /** The picture as PNG (RGB, 8 bits). */
  png(): Buffer<ArrayBuffer> {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.width, 0)
    header.writeUInt32BE(this.height, 4)
    header.set([8, 2], 8)
    const line = this.width * 3
    // Each line begins with its filter, which is none.
    const lines = Buffer.alloc(this.height * (line + 1))
    for (let row = 0; row < this.height; row++)
      lines.set(this.#bytes.subarray(row * line, (row + 1) * line), row * (line + 1) + 1)
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(lines, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  #blend(at: number, color: Color, opacity: number): void {
    for (const [n, value] of color.entries())
      this.#bytes[at + n] = Math.round(this.#bytes[at + n] * (1 - opacity) + value * opacity)
  }
}

/** An icon file of one PNG of at most 255 pixels. */
export function icoOf(picture: Pixels): Buffer<ArrayBuffer> {
  const png = picture.png()
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.set([picture.width, picture.height], 6)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(24, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

/** The signed distance of a point to the edge: negative inside. */
function distanceTo({ x, y, width, height, radius }: RoundedRectangle, px: number, py: number): number {
  const dx = Math.abs(px - x - width / 2) - width / 2 + radius
  const dy = Math.abs(py - y - height / 2) - height / 2 + radius
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
}

function parseColor(color: string): Color {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
