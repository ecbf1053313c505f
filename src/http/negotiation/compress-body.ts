import type { IncomingMessage } from 'node:http'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { type ContentCoding, chooseCoding, refusesIdentity } from './content-coding.ts'

/** What is smaller fits into one packet either way. */
const BODY_BYTES_MIN = 1024

type Done = (fault: Error | null, coded: Buffer) => void

const COMPRESS: Readonly<Record<ContentCoding, (body: Buffer, done: Done) => void>> = {
  zstd: (body, done) => zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }, done),
  br: (body, done) => brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (body, done) => gzip(body, { level: 4 }, done),
}

/** The coding that an answer is to be sent in; undefined if as it is, which is what is small, unless that is refused. */
export function codingFor({ headers }: IncomingMessage, bodyBytes: number): ContentCoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || (bodyBytes < BODY_BYTES_MIN && !refusesIdentity(accepted))) return undefined
  return chooseCoding(accepted)
}

/** Compresses a body away from this thread. `done` gets undefined if that failed, which leaves sending it as it is. */
export function compressBody(
  body: Buffer,
  coding: ContentCoding,
  done: (coded: Buffer | undefined) => void,
): void {
  COMPRESS[coding](body, (fault, coded) => done(fault === null ? coded : undefined))
}
