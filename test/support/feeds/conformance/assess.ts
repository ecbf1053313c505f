import type { Rejected } from '../../../../src/feeds/connector.ts'
import { parseRfc3339 } from '../../../../src/slot/instant.ts'
import { SLOT_STATUSES, type Slot } from '../../../../src/slot/slot.ts'

/** Describes an invalid rejection; undefined if it is valid. */
export function faultOfRejection({ file, line, reason, sample }: Rejected): string | undefined {
  if (file === '') return 'file must be named'
  if (!Number.isInteger(line) || line < 1) return `line must be counted from 1: got "${line}"`
  if (reason.length > 300 || !/^Cannot read .+: .+/s.test(reason))
    return `reason must be a sentence of at most 300 characters: got "${reason}"`
  if (sample.length > 500) return `sample must be at most 500 characters: got "${sample.length}"`
  return faultOfText(reason) ?? (sample.includes('\0') ? 'sample must not contain NUL' : faultOfForm(sample))
}

/** Describes a slot that must never be served; undefined if it is valid. */
export function faultOfSlot(slot: Slot): string | undefined {
  const { id, status, start, end, startMs, endMs, capacity = 0, bookingDeepLink, offering } = slot
  if (!/^[0-9a-v]{24}$/.test(id)) return `id must be 24 characters of base32hex: got "${id}"`
  if (!SLOT_STATUSES.includes(status)) return `status must be one of the four: got "${status}"`
  if (parseRfc3339(start) !== startMs || parseRfc3339(end) !== endMs)
    return `times must be RFC 3339: got "${start}" and "${end}"`
  if (endMs < startMs) return `end must not be before start: got "${end}"`
  if (!Number.isSafeInteger(capacity) || capacity < 0) return `capacity must be whole: got "${capacity}"`
  const { website = [], state, latitude = 0, longitude = 0 } = offering.location ?? {}
  for (const link of [...website, ...(bookingDeepLink === undefined ? [] : [bookingDeepLink])])
    if (!/^https?:\/\//.test(link)) return `a link must be http or https: got "${link}"`
  for (const code of [...(state === undefined ? [] : [state]), ...(offering.serviceStates ?? [])])
    if (!/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(code))
      return `a state must be two letters, or an ISO 3166-2 code: got "${code}"`
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return 'a position must be on Earth'
  return textsIn(slot).map(faultOfText).find(Boolean)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function faultOfText(text: string): string | undefined {
  if (text.length > 2048) return `a text must be at most 2048 characters: got "${text.length}"`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
  if (/[\x00-\x1f\x7f]/.test(text)) return `a text must not contain control characters: got ${JSON.stringify(text)}`
  return faultOfForm(text)
}

function faultOfForm(text: string): string | undefined {
  return text.isWellFormed() ? undefined : `a text must be well-formed: got ${JSON.stringify(text)}`
}
