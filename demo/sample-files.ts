import { createHash } from 'node:crypto'
import { mix } from './mix.ts'
import type { DirectoryType } from './sample-directory.ts'
import { formatSlotLine, type SampleFeed } from './sample-feed.ts'

/** One version of a file. */
export interface SampleFile {
  readonly contentType: string
  /** Strong entity tag: equal if and only if the bytes are equal. */
  readonly etag: string
  readonly lastModifiedMs: number
  /** Chunks of about 64 KiB, rendered on demand. */
  body(): Iterable<string>
}

const PIECE_CHARACTERS = 65_536
const STATUS_NUMBERS = { free: 1, busy: 2, 'busy-tentative': 3 } as const

/** The files of the sample publisher, by path. Stores only each file's last entity tag and its time. */
export class SampleFiles {
  readonly #feed: SampleFeed
  readonly #modified = new Map<string, { etag: string; sinceMs: number }>()

  constructor(feed: SampleFeed) {
    this.#feed = feed
  }

  /** Undefined if the path does not exist. `origin` is `http://host:port` as the client sees it. */
  find(path: string, origin: string, nowMs: number): SampleFile | undefined {
    if (path === '/$bulk-publish') return this.#manifest(origin, nowMs)
    const type = this.#feed.directoryTypes().find((type) => path === directoryPath(type))
    if (type !== undefined) return this.#directory(type, nowMs)
    const state = this.#feed.states.find(({ state }) => path === slotPath(state.code))
    return state === undefined ? undefined : this.#slots(state.state.code, origin, nowMs)
  }

  #manifest(origin: string, nowMs: number): SampleFile {
    const states = this.#feed.states.map(({ state }) => state.code)
    const files = [
      ...this.#feed.directoryTypes().map((type) => ({ type, path: directoryPath(type), state: states })),
      ...states.map((code) => ({ type: 'Slot', path: slotPath(code), state: [code] })),
    ]
    const output = files.map(({ type, path, state }) => ({ type, url: origin + path, extension: { state } }))
    const json = JSON.stringify({
      transactionTime: new Date(nowMs).toISOString(),
      request: `${origin}/$bulk-publish`,
      output,
      error: [],
    })
    return this.#file('/$bulk-publish', 'application/json', digest([json]), nowMs, () => [json])
  }

  #directory(type: DirectoryType, nowMs: number): SampleFile {
    const pieces = () => gathered(this.#feed.directory(type))
    return this.#file(directoryPath(type), 'application/fhir+ndjson', digest(pieces()), nowMs, pieces)
  }

  #slots(code: string, origin: string, nowMs: number): SampleFile {
    const pieces = () => gathered(this.#lines(code, origin, nowMs))
    return this.#file(slotPath(code), 'application/fhir+ndjson', this.#slotsTag(code, origin, nowMs), nowMs, pieces)
  }

  *#lines(code: string, origin: string, nowMs: number): Generator<string> {
    for (const slot of this.#feed.slots(code, nowMs)) yield formatSlotLine(slot, origin)
  }

  /** Computed from the slots' numbers, so that a conditional request needs no rendering. */
  #slotsTag(code: string, origin: string, nowMs: number): string {
    let high = 1
    let low = 2
    for (const slot of this.#feed.slots(code, nowMs)) {
      const mixed = mix(slot.schedule.mixed, slot.day.number * 1440 + slot.startMinute)
      high = mix(high, mixed + STATUS_NUMBERS[slot.status])
      low = mix(low + STATUS_NUMBERS[slot.status], mixed)
    }
    return digest([`${origin} ${high} ${low}`])
  }

  #file(path: string, contentType: string, etag: string, nowMs: number, body: () => Iterable<string>): SampleFile {
    const known = this.#modified.get(path)
    const sinceMs = known?.etag === etag ? known.sinceMs : nowMs
    this.#modified.set(path, { etag, sinceMs })
    return { contentType, etag, lastModifiedMs: sinceMs, body }
  }
}

/** The path of a state's Slot file. */
function slotPath(code: string): string {
  return `/slots/${code}.ndjson`
}

function directoryPath(type: DirectoryType): string {
  return `/${type}.ndjson`
}

function* gathered(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

function digest(pieces: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
