import { decodeVlq } from '../../../../lib/base64-vlq.ts'
import type { Point } from '../../../../slot/query-parameter.ts'

let areas: Promise<ReadonlyMap<string, Point>> | undefined

/**
 * The middle of a ZIP code's area (a ZCTA of the US Census of 2020); undefined for other texts, and for ZIP codes without an area, as of
 * post office boxes. The first call reads the table.
 */
export async function zipArea(zip: string): Promise<Point | undefined> {
  areas ??= readTable()
  return (await areas).get(zip)
}

/** The ZIP codes with an area that begin with some digits, and their middles, in ascending order. */
export async function zipAreasFrom(digits: string): Promise<(readonly [zip: string, Point])[]> {
  areas ??= readTable()
  return [...(await areas)].filter(([zip]) => zip.startsWith(digits))
}

async function readTable(): Promise<ReadonlyMap<string, Point>> {
  const { ZIP_TABLE } = await import('./zip-table.ts')
  const steps = decodeVlq(ZIP_TABLE)
  const points = new Map<string, Point>()
  let [zip, latitude, longitude] = [0, 0, 0]
  for (let at = 0; at < steps.length; at += 3) {
    zip += steps[at]
    latitude += steps[at + 1]
    longitude += steps[at + 2]
    points.set(String(zip).padStart(5, '0'), { latitude: latitude / 100, longitude: longitude / 100 })
  }
  return points
}
