import type { Steps } from '../lib/steps.ts'
import type { IndexContent } from './index-content.ts'
import { runsIn } from './runs/levels.ts'

/** 1 at the number of the original of each offering that slots refer to, ended ones included. A step tests the rows of a run, at some nanoseconds each. */
export function* usedOfferings({ levels, tables }: IndexContent): Steps<Uint8Array> {
  const isUsed = new Uint8Array(tables.offerings.end)
  const originalOf = tables.offerings.originalOf.values
  for (const { run, from, gone } of runsIn(levels)) {
    for (let row = from; row < run.length; row++)
      if (gone?.has(row) !== true) isUsed[originalOf[run.offeringOf(row)]] = 1
    yield
  }
  return isUsed
}
