import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A smaller file fits into one packet uncompressed. */
const BYTES_MIN = 1024

/** Formats that are not compressed by themselves. */
const COMPRESSED = new Set(['.js', '.css', '.json', '.svg', '.txt'])

/** Quality 10 takes ten times as long for a tenth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Writes `<name>.br` and `<name>.gz` beside each file of a folder that is smaller compressed. The server then never compresses it. */
export function compressAssets(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (!COMPRESSED.has(extname(name))) continue
    const body = readFileSync(file)
    const gzipped = gzipSync(body, { level: 9 })
    if (body.length < BYTES_MIN || gzipped.length >= body.length) continue
    writeFileSync(`${file}.gz`, gzipped)
    writeFileSync(`${file}.br`, brotliCompressSync(body, BROTLI))
  }
}
