import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'

/** How what is sent in pieces can be compressed, the preferred first. They work in threads of their own. */
export const CONTENT_CODINGS = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
} as const satisfies Record<string, () => Transform>

export type ContentCoding = keyof typeof CONTENT_CODINGS

/** The coding that `Accept-Encoding` (RFC 9110, 12.5.3) likes best, the first of ours among equals; undefined for none. */
export function chooseCoding(accepted: string | undefined): ContentCoding | undefined {
  if (accepted === undefined || accepted === '') return undefined
  const weights = new Map(accepted.toLowerCase().split(',').map(parseWeight))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  let best: { coding?: ContentCoding; weight: number } = { weight: 0 }
  for (const coding of Object.keys(CONTENT_CODINGS) as ContentCoding[]) {
    const weight = weightOf(coding)
    if (weight > best.weight) best = { coding, weight }
  }
  return best.weight >= (weights.get('identity') ?? 0) ? best.coding : undefined
}

function parseWeight(text: string): [coding: string, weight: number] {
  const [coding, ...parameters] = text.split(';').map((part) => part.trim())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return [coding, weight >= 0 && weight <= 1 ? weight : 0]
}
