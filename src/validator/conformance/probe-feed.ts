import type { Feed } from '../feed.ts'
import type { CheckedPublication } from '../manifest-check.ts'
import type { Findings } from '../report.ts'
import { PROBE_RULES } from '../rules/slot-directory-rules.ts'

/** Requests the manifest and one file of each type in other ways than a sync. Returns the number of requests. */
export async function probeFeed(
  feed: Feed,
  { files, isOpen }: Pick<CheckedPublication, 'files' | 'isOpen'>,
  findings: Findings,
): Promise<number> {
  const first = new Map(files.flatMap(({ types, url }) => types.map((type) => [type, url] as const)).toReversed())
  const probes = (await feed.probe?.([...new Set(first.values())])) ?? []
  for (const probe of probes) findings.applyAll(PROBE_RULES, { ...probe, isOpen }, { file: probe.name })
  return probes.length
}
