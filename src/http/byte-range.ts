import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

/** Bytes of a representation, from `from` to before `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The range that a request asks for (RFC 9110, 14.2): undefined for everything, which also answers several ranges, other units, and an
 * `If-Range` of another content. Throws `Problem('range-not-satisfiable')`.
 */
export function rangeOf({ headers, method }: IncomingMessage, etag: string, length: number): ByteRange | undefined {
  const { range } = headers
  const condition = headers['if-range']
  if (range === undefined || method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const to = first === '' || last === '' ? length : Math.min(length, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < from) return undefined
  if (from < to) return { from, to }
  throw new Problem('range-not-satisfiable', `The file has ${length} bytes: got the range "${range}".`, {
    headers: { 'content-range': `bytes */${length}` },
  })
}
