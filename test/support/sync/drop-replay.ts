import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mix } from '../../../demo/mix.ts'
import { DAY_MS } from '../../../src/lib/time.ts'
import { detectAnomalies } from '../../../src/sync/anomaly-rules.ts'
import { sampleSource } from './source-sample.ts'

/** A slot of a recorded publication. */
interface RecordedSlot {
  readonly schedule: string
  readonly startMs: number
  readonly endMs: number
}

/** How a recorded publication is replayed. Booked and ended slots are removed, which is the worst case for the rule. */
export interface Replay {
  /** Time between two syncs. */
  readonly everyMs: number
  /** Mean time until a slot is booked, independent of others; infinite for none. */
  readonly bookedAfterMs: number
  /** Every midnight the slots of another day are added; otherwise the feed runs out. */
  readonly isRefilled: boolean
  readonly seed: number
}

/** Syncs of a replay, and in how many the rule `dropped` applied. */
export interface ReplayResult {
  readonly syncs: number
  readonly alarms: number
}

/** The slots of a publication by schedule: each schedule is used as the feed of a small clinic. */
export function readClinics(folder: string): RecordedSlot[][] {
  const bySchedule = new Map<string, RecordedSlot[]>()
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.ndjson') || !/slot/i.test(name)) continue
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const slot = recordedSlot(line)
      if (slot !== undefined) bySchedule.set(slot.schedule, [...(bySchedule.get(slot.schedule) ?? []), slot])
    }
  }
  return [...bySchedule.values()]
}

/** Replays a feed from the day before its first slot until it is empty, or for as long again if it is refilled. */
export function replay(slots: readonly RecordedSlot[], options: Replay): ReplayResult {
  const fromMs = Math.min(...slots.map(({ startMs }) => startMs)) - DAY_MS
  const spanMs = Math.max(...slots.map(({ endMs }) => endMs)) - fromMs
  const untilMs = fromMs + (options.isRefilled ? 2 : 1) * spanMs
  const lives = slots.flatMap((slot, at) => livesOf(slot, { at, fromMs, spanMs, ...options }))
  let before = 0
  let syncs = 0
  let alarms = 0
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += options.everyMs) {
    const present = lives.filter((life) => life.fromMs <= nowMs && nowMs < life.untilMs)
    const lastMs = nowMs - options.everyMs
    const ended = lives.filter((life) => life.fromMs <= lastMs && lastMs < life.untilMs && life.endMs <= nowMs).length
    if (before > 0 && hasAlarm(before, present.length, ended)) alarms++
    syncs++
    before = present.length
  }
  return { syncs, alarms }
}

/** How many of these feeds raise an alarm if one sync loses a share of their slots. */
export function detectedLosses(clinics: readonly (readonly RecordedSlot[])[], lostShare: number): number {
  const hasLoss = (count: number) => hasAlarm(count, count - Math.round(count * lostShare), 0)
  return clinics.filter(({ length }) => hasLoss(length)).length
}

function hasAlarm(before: number, slotCount: number, endedCount: number): boolean {
  const nowMs = 0
  const { publishedAtMs: _, ...source } = sampleSource({ slotCount: before })
  const snapshot = { before: source, slotCount, endedCount, lines: { read: before, rejected: 0 }, isChanged: true }
  const { detected } = detectAnomalies({ ...snapshot, publishedAtMs: undefined, lastEndMs: undefined, nowMs })
  return detected.some(({ kind }) => kind === 'dropped')
}

interface Life {
  readonly fromMs: number
  readonly untilMs: number
  readonly endMs: number
}

/** When a slot is published: from the beginning, and again a span later if the feed is refilled. */
function livesOf(
  { startMs, endMs }: RecordedSlot,
  { at, fromMs, spanMs, bookedAfterMs, isRefilled, seed }: Replay & { at: number; fromMs: number; spanMs: number },
): Life[] {
  return (isRefilled ? [0, 1] : [0]).map((turn) => {
    // A slot of the second turn is added on the midnight a span before the day on which it starts.
    const addedMs = turn === 0 ? fromMs : Math.floor(startMs / DAY_MS) * DAY_MS
    const bookedMs = addedMs - bookedAfterMs * Math.log(1 - random(seed, at * 2 + turn))
    const last = endMs + turn * spanMs
    return { fromMs: addedMs, untilMs: Math.min(last, bookedMs), endMs: last }
  })
}

/** From 0 to below 1; the same for the same arguments. */
function random(seed: number, n: number): number {
  return (mix(seed, n) >>> 0) / 2 ** 32
}

function recordedSlot(line: string): RecordedSlot | undefined {
  if (line.trim() === '') return undefined
  const { schedule, start, end } = JSON.parse(line)
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
  const isKnown = typeof schedule?.reference === 'string' && startMs < endMs
  return isKnown ? { schedule: schedule.reference, startMs, endMs } : undefined
}
