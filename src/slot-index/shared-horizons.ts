import { decodeHorizons, type ScheduleHorizons } from '../slot/planning-horizon.ts'

/** The planning horizons of a publisher's Schedules since a revision, as text that all threads share: see `encodeHorizons()`. */
export interface SharedHorizons {
  readonly revision: number
  readonly text: SharedArrayBuffer
}

export function shareHorizons({ revision, content }: { readonly revision: number; readonly content: string }) {
  const bytes = Buffer.from(content)
  const text = new SharedArrayBuffer(bytes.length)
  new Uint8Array(text).set(bytes)
  return { revision, text } satisfies SharedHorizons
}

export function horizonText({ text }: SharedHorizons): string {
  return Buffer.from(text).toString()
}

/** Each publisher's horizons, decoded when they are first asked for. */
export function horizonLookup(shared: ReadonlyMap<string, SharedHorizons>): (publisher: string) => ScheduleHorizons {
  const decoded = new Map<string, ScheduleHorizons>()
  return (publisher) => {
    const known = decoded.get(publisher)
    if (known !== undefined) return known
    const found = shared.get(publisher)
    const horizons = decodeHorizons(found === undefined ? '' : horizonText(found))
    decoded.set(publisher, horizons)
    return horizons
  }
}
