import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { writeIcons } from './icons.ts'
import { Pixels } from './pixels.ts'

/** Reads an RGB picture whose lines have no filter, and checks its checksums. */
function readPng(png: Buffer) {
  const data: Buffer[] = []
  let [width, height] = [0, 0]
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body))
    if (body.toString('latin1', 0, 4) === 'IHDR') [width, height] = [body.readUInt32BE(4), body.readUInt32BE(8)]
    if (body.toString('latin1', 0, 4) === 'IDAT') data.push(body.subarray(4))
    at += 12 + length
  }
  const lines = inflateSync(Buffer.concat(data))
  assert.equal(lines.length, height * (width * 3 + 1))
  const pixel = (x: number, y: number) => lines.toString('hex', y * (width * 3 + 1) + 1 + x * 3).slice(0, 6)
  return { width, height, pixel }
}

test('draws rectangles with round, smooth corners', () => {
  const pixels = new Pixels(20, 10, '#ffffff')
  pixels.fill({ x: 0, y: 0, width: 10, height: 10, radius: 5, color: '#000000' })
  pixels.fill({ x: 10, y: 0, width: 10, height: 10, radius: 0, color: '#ff0000', opacity: 0.5 })
  const { width, height, pixel } = readPng(pixels.png())
  assert.deepEqual([width, height], [20, 10])
  assert.deepEqual([pixel(0, 0), pixel(5, 5), pixel(15, 5)], ['ffffff', '000000', 'ff8080'])
  assert.match(pixel(1, 1), /^(?!ffffff|000000)/)
})

test('writes the icons and the social preview in the sizes that their readers expect', (t: TestContext) => {
  const folder = tempFolder(t)
  writeIcons(folder)
  const touch = readPng(readFileSync(join(folder, 'apple-touch-icon.png')))
  assert.deepEqual([touch.width, touch.height, touch.pixel(0, 0)], [180, 180, '087f5b'])
  const preview = readFileSync(join(folder, 'social-preview.png'))
  const { width, height } = readPng(preview)
  assert.deepEqual([width, height], [1200, 630])
  assert.ok(preview.length < 100_000, `${preview.length} bytes`)
  const ico = readFileSync(join(folder, 'favicon.ico'))
  assert.deepEqual([ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6], ico[7]], [1, 1, 32, 32])
  assert.equal(readPng(ico.subarray(ico.readUInt32LE(18))).width, 32)
})
