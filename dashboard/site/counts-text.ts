import type { FrontPageCounts } from '../../src/http/public-counts.ts'
import { countRegions } from '../src/components/state-tiles.ts'

/** "45,155 open slots in 50 states and DC, from 3 publishers, updated 40 seconds ago". */
export function summaryOf({ slots, states, publishers, at, checkedAt }: FrontPageCounts): string {
  const regions = countRegions(Object.keys(states))
  return [
    plural(slots, 'open slot') + (regions && ` in ${regions}`),
    `from ${plural(publishers, 'publisher')}`,
    ...(checkedAt === undefined ? [] : [`updated ${agoOf((Date.parse(at) - Date.parse(checkedAt)) / 1000)}`]),
  ].join(', ')
}

/** The text alternative of the map: all that it shows. */
export function captionOf({ states }: FrontPageCounts): string {
  const counts = Object.entries(states).sort(([, a], [, b]) => b - a)
  return `Open slots by state: ${counts.map(([state, count]) => `${state} ${count.toLocaleString('en-US')}`).join(', ')}`
}

function agoOf(seconds: number): string {
  if (seconds < 1) return 'just now'
  for (const [size, unit] of UNITS) if (seconds >= size) return `${plural(Math.floor(seconds / size), unit)} ago`
  return 'just now'
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
