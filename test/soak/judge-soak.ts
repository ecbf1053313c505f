import type { SoakSample } from './soak.ts'

/** The allowed growth between the second and the last third of a run: by a share, and by a number. */
const GROWTH: Readonly<Record<string, { readonly share: number; readonly number: number }>> = {
  resident: { share: 0.1, number: 0 },
  heap: { share: 0.1, number: 2 * 1024 * 1024 },
  external: { share: 0.2, number: 4 * 1024 * 1024 },
  timers: { share: 0, number: 3 },
  threads: { share: 0, number: 1 },
  descriptors: { share: 0, number: 5 },
  'write-ahead log': { share: 0.1, number: 1024 * 1024 },
}

/** Rows per hour in tables that keep them longer than a run lasts: they grow with the number of requests. */
const KEPT_ROWS: Readonly<Record<string, number>> = {
  // Revoked and expired keys, which audit entries name.
  api_keys: 2,
  key_addresses: 2,
  audit: 6,
  // For 400 days, by hour and key.
  usage_hours: 30,
  usage_latencies: 60,
  // 300 for each source.
  sync_history: 2,
}

/** Bytes of such a row, with its indexes. */
const ROW_BYTES = 256

/** Describes what has grown by more; empty if nothing has. */
export function growthIn(samples: readonly SoakSample[]): string[] {
  const [, second, last] = thirdsOf(samples)
  const hours = (last[0].day - second[0].day) * 24
  const findings: string[] = []
  const compare = (name: string, read: (sample: SoakSample) => number, room: (before: number) => number) => {
    const [before, after] = [medianOf(second, read), medianOf(last, read)]
    if (after > before + room(before)) findings.push(`${name}: ${before} in the second third, ${after} in the last`)
  }
  for (const [name, { share, number }] of Object.entries(GROWTH))
    compare(
      name,
      ({ sizes }) => sizes[name],
      (before) => before * share + number,
    )
  for (const table of Object.keys(last[0].rows))
    compare(
      `rows of ${table}`,
      ({ rows }) => rows[table],
      (before) => (KEPT_ROWS[table] ?? 0) * hours + before * 0.05 + 10,
    )
  const keptRows = Object.values(KEPT_ROWS).reduce((sum, rows) => sum + rows, 0)
  compare(
    'store',
    ({ sizes }) => sizes.store,
    (before) => keptRows * hours * ROW_BYTES + before * 0.05,
  )
  return findings
}

/** The first third is the start, in which everything fills. */
function thirdsOf(samples: readonly SoakSample[]): readonly (readonly SoakSample[])[] {
  const length = Math.floor(samples.length / 3)
  return [samples.slice(0, -2 * length), samples.slice(-2 * length, -length), samples.slice(-length)]
}

function medianOf(samples: readonly SoakSample[], read: (sample: SoakSample) => number): number {
  const values = samples.map(read).sort((a, b) => a - b)
  return values[Math.floor(values.length / 2)]
}
