import { z } from 'zod'
import { addedBy, type PackedOfferings } from '../slot-index/offerings/pack-offerings.ts'

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

/** The file of offerings with their ids in the store. Its large parts are not copied: copies in shared memory would be freed late. */
export function offeringFileOf(
  packed: readonly PackedOfferings[],
  ids: readonly number[],
): { sizes: OfferingFileSizes; parts: Uint8Array[] } {
  const texts = Buffer.from(JSON.stringify(addedBy(packed)))
  const positions = packed.map(({ positions }) => positions)
  const entries = packed.map(({ entries }) => entries)
  const numbers = [Float64Array.from(ids), ...positions, endsOf(packed), ...entries]
  return {
    sizes: {
      count: packed.reduce((sum, { count }) => sum + count, 0),
      words: entries.reduce((sum, { length }) => sum + length, 0),
      textBytes: texts.length,
    },
    parts: [
      ...numbers.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
      texts,
      ...packed.map(({ memory, from }) => new Uint8Array(memory, from)),
    ],
  }
}

/** Where the texts of all end, whose memory follows each other. */
function endsOf(packed: readonly PackedOfferings[]): Uint32Array {
  const all = new Uint32Array(packed.reduce((sum, { count }) => sum + count * 2, 0))
  let [begin, length] = [0, 0]
  for (const { count, from, memory, ends } of packed) {
    for (let n = 0; n < count * 2; n++) all[length++] = ends[n] + begin - from
    begin += memory.byteLength - from
  }
  return all
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
