import { MINUTE_MS } from '../../lib/time.ts'
import { isRegularMinute, ODD_FORM } from './row-record.ts'

/** How the times and the capacity of slots are written. */
export interface SlotForm {
  /** Minutes that local time is ahead of UTC. */
  readonly startOffset: number
  readonly endOffset: number
  /** The text after `HH:MM`: seconds and offset. */
  readonly startTail: string
  readonly endTail: string
  /** JSON of the capacity; empty without one. */
  readonly capacity: string
  /** Each slot has identifiers, stored as JSON. */
  readonly hasIdentifier: boolean
}

/** A slot's own text, divided into what is shared and what is not. */
export interface PackedText {
  /** Number of a form; `ODD_FORM` if none describes the text. */
  readonly form: number
  /** Number of a link prefix; 0 without a link. */
  readonly prefix: number
  /** The rest of the link, escaped as in JSON. */
  readonly link: string
  /** JSON of the identifiers; empty without any. */
  readonly identifier: string
}

/** Texts that slots share, numbered. Numbers are never reused. */
export class SlotTexts {
  readonly forms: SlotForm[] = []
  /** Escaped as in JSON. Number 0 is for slots without a link, 1 is the empty prefix. */
  readonly prefixes: string[] = ['', '']
  readonly #formNumbers = new Map<string, number>()
  readonly #prefixNumbers = new Map<string, number>()

  /** Continues with the texts of a state that was saved. */
  static of(forms: readonly SlotForm[], prefixes: readonly string[]): SlotTexts {
    const texts = new SlotTexts()
    for (const form of forms) texts.#formNumbers.set(nameOf(form), texts.forms.push(form) - 1)
    texts.prefixes.length = 0
    for (const prefix of prefixes) texts.#prefixNumbers.set(prefix, texts.prefixes.push(prefix) - 1)
    // Links with an empty prefix are few, and have number 1.
    texts.#prefixNumbers.delete('')
    return texts
  }

  /** The packed text of a slot in the form of `encodeSlot()`, if it can be written again from the parts, byte by byte. */
  pack(json: string, startMs: number, endMs: number): PackedText {
    const texts = OWN_JSON.exec(json)?.groups
    if (texts === undefined) return ODD
    const { start, end, link, capacity = '', identifier = '' } = texts
    const form = this.#formOf({ start, end, capacity, hasIdentifier: identifier !== '' }, startMs, endMs)
    if (form === ODD_FORM || identifier.length > IDENTIFIER_LENGTH_MAX) return ODD
    if (link === undefined) return { form, prefix: 0, link: '', identifier }
    const prefix = this.#prefixOf(link.slice(0, cutOf(link)))
    const rest = prefix === EMPTY_PREFIX ? link : link.slice(cutOf(link))
    return rest.length > LINK_LENGTH_MAX ? ODD : { form, prefix, link: rest, identifier }
  }

  #formOf(
    { start, end, capacity, hasIdentifier }: { start: string; end: string; capacity: string; hasIdentifier: boolean },
    startMs: number,
    endMs: number,
  ): number {
    const minutes = (endMs - startMs) / MINUTE_MS
    if (!isRegularMinute(startMs) || !Number.isInteger(minutes) || minutes > DURATION_MAX) return ODD_FORM
    const startOffset = minuteIn(start) - startMs / MINUTE_MS
    const endOffset = minuteIn(end) - endMs / MINUTE_MS
    const [startTail, endTail] = [start.slice(MINUTE_LENGTH), end.slice(MINUTE_LENGTH)]
    const form: SlotForm = { startOffset, endOffset, startTail, endTail, capacity, hasIdentifier }
    const name = nameOf(form)
    const known = this.#formNumbers.get(name)
    if (known !== undefined) return known
    const isRegular = [startOffset, endOffset].every((offset) => Number.isInteger(offset) && Math.abs(offset) <= 1440)
    if (!isRegular || this.forms.length === ODD_FORM) return ODD_FORM
    this.#formNumbers.set(name, this.forms.length)
    return this.forms.push(form) - 1
  }

  #prefixOf(text: string): number {
    const known = this.#prefixNumbers.get(text)
    if (known !== undefined) return known
    if (this.prefixes.length === PREFIXES_MAX) return EMPTY_PREFIX
    this.#prefixNumbers.set(text, this.prefixes.length)
    return this.prefixes.push(text) - 1
  }
}

function nameOf({ startOffset, endOffset, startTail, endTail, capacity, hasIdentifier }: SlotForm): string {
  return `${startOffset} ${endOffset} ${startTail} ${endTail} ${capacity} ${hasIdentifier}`
}

/** See `encodeSlot()`. */
const OWN_JSON =
  /^\{"id":"[0-9a-v]{24}","status":"[a-z-]+","start":"(?<start>[^"\\]{16,40})","end":"(?<end>[^"\\]{16,40})"(?:,"bookingDeepLink":"(?<link>(?:[^"\\]|\\.)*)")?(?:,"capacity":(?<capacity>\d+))?(?:,"identifier":(?<identifier>\[.*\]))?$/

const ODD: PackedText = { form: ODD_FORM, prefix: 0, link: '', identifier: '' }
const EMPTY_PREFIX = 1
/** Fits 16 bits. */
const PREFIXES_MAX = 65_536
const DURATION_MAX = 65_535
/** In characters of at most three bytes, so that their number fits one byte, or two. */
const LINK_LENGTH_MAX = 84
const IDENTIFIER_LENGTH_MAX = 21_845
/** `YYYY-MM-DDTHH:MM` */
const MINUTE_LENGTH = 16

/** Where the prefix of a link ends: behind the last of these characters. */
function cutOf(link: string): number {
  let cut = link.length
  while (cut > 0 && !'/=&?'.includes(link[cut - 1])) cut--
  return cut
}

/** Minutes since 1970 of a time `YYYY-MM-DDTHH:MM…`, whatever its offset; not a number if it is not written like this. */
function minuteIn(text: string): number {
  const day = dayOf(text.slice(0, 10))
  const [hours, minutes] = [digitsAt(text, 11), digitsAt(text, 14)]
  const isRegular = text[10] === 'T' && text[13] === ':' && hours < 24 && minutes < 60
  return isRegular ? day * 1440 + hours * 60 + minutes : Number.NaN
}

function digitsAt(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** The day of the last slot: slots of a day follow each other. */
let lastDay = { text: '', day: Number.NaN }

/** Days since 1970; not a number if there is no such day. */
function dayOf(text: string): number {
  if (text === lastDay.text) return lastDay.day
  const ms = Date.parse(`${text}T00:00Z`)
  const isExact = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`)
  lastDay = { text, day: isExact ? ms / 86_400_000 : Number.NaN }
  return lastDay.day
}
