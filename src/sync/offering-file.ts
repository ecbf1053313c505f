import { z } from 'zod'
import { joinPacked, type PackedOfferings } from '../slot-index/pack-offerings.ts'

/**
 * A file of offerings in a checkpoint. Those of eight bytes come first, so that they can be read in place:
 *
 *     ids       Float64, in the store             count
 *     positions Float64                           2 × count
 *     ends      Uint32, from the begin of `json`  2 × count
 *     entries   Uint32                            words
 *     added     JSON                              textBytes
 *     json      of offerings and details          the rest
 */
export const offeringFileSizes = z.object({ count: z.number(), words: z.number(), textBytes: z.number() })

type OfferingFileSizes = z.infer<typeof offeringFileSizes>

/** The file of offerings with their ids in the store. */
export function offeringFileOf(
  packed: readonly PackedOfferings[],
  ids: readonly number[],
): { sizes: OfferingFileSizes; parts: Uint8Array[] } {
  const { count, memory, ends, positions, entries, added } = joinPacked(packed)
  const texts = Buffer.from(JSON.stringify(added))
  const numbers = [Float64Array.from(ids), positions, ends, entries]
  return {
    sizes: { count, words: entries.length, textBytes: texts.length },
    parts: [
      ...numbers.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
      texts,
      new Uint8Array(memory),
    ],
  }
}

export function readOfferingFile(
  file: SharedArrayBuffer,
  { count, words, textBytes }: OfferingFileSizes,
): PackedOfferings & { ids: Float64Array } {
  const ids = new Float64Array(file, 0, count)
  const positions = new Float64Array(file, ids.byteLength, count * 2)
  const endsFrom = positions.byteOffset + positions.byteLength
  const ends = new Uint32Array(file, endsFrom, count * 2)
  const entries = new Uint32Array(file, endsFrom + ends.byteLength, words)
  const textsFrom = entries.byteOffset + entries.byteLength
  const from = textsFrom + textBytes
  const added = JSON.parse(Buffer.from(file, textsFrom, textBytes).toString())
  return { count, memory: file, from, ends: ends.map((end) => end + from), positions, entries, added, ids }
}
