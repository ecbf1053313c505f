// Hot path
import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'
import { parseWeightedList, type Weighted } from './weighted-list.ts'

export const JSON_TYPE = 'application/json'

/**
 * The media type to answer in, of those that are offered, the first of which is the usual one: what `Accept` (RFC 9110,
 * 12.5.1) prefers; of what it likes equally, what it names most exactly. Where it names nothing, which its grammar allows and
 * its text leaves open, it is as if it were absent. Throws `Problem('not-acceptable')` if it allows none.
 */
export function chooseType(request: IncomingMessage, offered: readonly string[]): string {
  const { accept } = request.headers
  const [usual] = offered
  if (accept === undefined || accept === '*/*' || accept === usual) return usual
  const ranges = parseWeightedList(accept)
  if (ranges.length === 0) return usual
  let best = { type: usual, weight: 0, exactness: -1 }
  for (const type of offered) {
    const { weight, exactness } = judge(type, ranges)
    if (weight > best.weight || (weight === best.weight && weight > 0 && exactness > best.exactness))
      best = { type, weight, exactness }
  }
  if (best.weight > 0) return best.type
  throw new Problem(
    'not-acceptable',
    `Accept must allow ${offered.join(' or ')}: got "${accept.slice(0, 100)}".`,
  )
}

/** The most exact range that covers a type decides about it. */
function judge(type: string, ranges: readonly Weighted[]): { weight: number; exactness: number } {
  const covering = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type]
  let judged = { weight: 0, exactness: -1 }
  for (const range of ranges) {
    const exactness = covering.indexOf(range.name)
    if (exactness > judged.exactness) judged = { weight: range.weight, exactness }
  }
  return judged
}
