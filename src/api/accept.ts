// Hot path
import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

export const JSON_TYPE = 'application/json'

/**
 * The media type to answer in, of those that are offered, the first of which is the usual one: what `Accept` (RFC 9110,
 * 12.5.1) prefers; of what it likes equally, what it names most exactly. Throws `Problem('not-acceptable')` if it allows none.
 */
export function chooseType(request: IncomingMessage, offered: readonly string[]): string {
  const { accept } = request.headers
  const [usual] = offered
  if (accept === undefined || accept === '*/*' || accept === usual) return usual
  const ranges = accept.toLowerCase().split(',').map(parseRange)
  let best = { type: usual, quality: 0, exactness: -1 }
  for (const type of offered) {
    const { quality, exactness } = judge(type, ranges)
    if (quality > best.quality || (quality === best.quality && quality > 0 && exactness > best.exactness))
      best = { type, quality, exactness }
  }
  if (best.quality > 0) return best.type
  throw new Problem(
    'not-acceptable',
    `Accept must allow ${offered.join(' or ')}: got "${accept.slice(0, 100)}".`,
  )
}

interface Range {
  readonly type: string
  readonly quality: number
}

function parseRange(text: string): Range {
  const [type, ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 1 }
}

/** The most exact range that covers a type decides about it. */
function judge(type: string, ranges: readonly Range[]): { quality: number; exactness: number } {
  const covering = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type]
  let judged = { quality: 0, exactness: -1 }
  for (const range of ranges) {
    const exactness = covering.indexOf(range.type)
    if (exactness > judged.exactness) judged = { quality: range.quality, exactness }
  }
  return judged
}
