import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { parseWeightedList } from './weighted-list.ts'

/** How what is sent in pieces can be compressed, the preferred first. They work in threads of their own. */
export const CONTENT_CODINGS = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
} as const satisfies Record<string, () => Transform>

export type ContentCoding = keyof typeof CONTENT_CODINGS

/**
 * The coding that `Accept-Encoding` (RFC 9110, 12.5.3) likes best, the first of ours among equals; undefined for none: also where
 * it allows nothing that there is, for whoever asks is served better by an answer than by none.
 */
export function chooseCoding(accepted: string | undefined): ContentCoding | undefined {
  if (accepted === undefined || accepted === '') return undefined
  const weights = new Map(parseWeightedList(accepted).map(({ name, weight }) => [name, weight]))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  let best: { coding?: ContentCoding; weight: number } = { weight: 0 }
  for (const coding of Object.keys(CONTENT_CODINGS) as ContentCoding[]) {
    const weight = weightOf(coding)
    if (weight > best.weight) best = { coding, weight }
  }
  return best.weight >= (weights.get('identity') ?? 0) ? best.coding : undefined
}

/** Whether what is sent as it is, is refused: by name, or with all that is not named. */
export function refusesIdentity(accepted: string): boolean {
  // Nearly nobody weighs anything.
  if (!accepted.includes(';')) return false
  const list = parseWeightedList(accepted)
  const decides = list.find(({ name }) => name === 'identity') ?? list.find(({ name }) => name === '*')
  return decides?.weight === 0
}
