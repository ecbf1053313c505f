import { MINUTE_MS } from '../../lib/time.ts'
import { localMinuteAt } from '../../slot/instant.ts'
import { TIME_LENGTH } from './byte-block.ts'
import { divideOwnText, type OwnText } from './own-text.ts'
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

/** A slot's own text, divided into what is shared, by number, and what is not. */
export interface PackedText {
  /** `ODD_FORM` if none describes the text; then the rest is 0. */
  readonly form: number
  /** Of the link's prefix; 0 without a link. */
  readonly prefix: number
  /** Where the times are. */
  readonly start: number
  readonly end: number
  /** Where the rest of the link is in the JSON, escaped. */
  readonly link: number
  readonly linkEnd: number
  /** Where the JSON of the identifiers begins, which end with the text. Without any, the length of the text. */
  readonly identifier: number
}

/** How many texts get a number. */
interface TextLimits {
  readonly formsMax: number
  readonly prefixesMax: number
}

/** Fits 8 bits, without `ODD_FORM`. */
export const FORMS_MAX = ODD_FORM
/** Fits 16 bits. */
export const PREFIXES_MAX = 65_536

/** Number 0 is for slots without a link, 1 is the empty prefix. */
export const SHARED_PREFIXES = ['', '']

/** Texts that slots share, numbered. Numbers are never reused. */
export class SlotTexts {
  readonly forms: SlotForm[] = []
  /** Escaped as in JSON. */
  readonly prefixes: string[] = [...SHARED_PREFIXES]
  readonly #limits: TextLimits
  readonly #prefixNumbers = new Map([['', EMPTY_PREFIX]])
  /** Of the last slot. */
  #lastForm = 0
  #lastPrefix = EMPTY_PREFIX

  constructor(limits: TextLimits = { formsMax: FORMS_MAX, prefixesMax: PREFIXES_MAX }) {
    this.#limits = limits
  }

  /** Continues with the texts of a state that was saved. */
  static of(forms: readonly SlotForm[], prefixes: readonly string[]): SlotTexts {
    const texts = new SlotTexts()
    texts.forms.push(...forms)
    texts.prefixes.length = 0
    for (const prefix of prefixes) texts.#prefixNumbers.set(prefix, texts.prefixes.push(prefix) - 1)
    return texts
  }

  /** The packed text of a slot in the form of `encodeSlot()`, if it can be written again from the parts, byte by byte. */
  pack(json: string, startMs: number, endMs: number): PackedText {
    const text = divideOwnText(json)
    if (text === undefined || json.length - text.identifier > IDENTIFIER_LENGTH_MAX) return ODD
    if (!hasRegularTimes(startMs, endMs)) return ODD
    const startOffset = localMinuteAt(json, text.start) - startMs / MINUTE_MS
    const endOffset = localMinuteAt(json, text.end) - endMs / MINUTE_MS
    const form = this.#formOf(json, text, startOffset, endOffset)
    if (form === ODD_FORM) return ODD
    const { start, end, identifier, linkEnd } = text
    if (!text.hasLink) return { form, prefix: 0, start, end, link: linkEnd, linkEnd, identifier }
    const cut = cutOf(json, text.link, linkEnd)
    const prefix = this.#prefixOf(json, text.link, cut)
    const link = prefix === EMPTY_PREFIX ? text.link : cut
    return linkEnd - link > LINK_LENGTH_MAX ? ODD : { form, prefix, start, end, link, linkEnd, identifier }
  }

  #formOf(json: string, text: OwnText, startOffset: number, endOffset: number): number {
    const { forms } = this
    const isForm = (form: SlotForm) =>
      form.startOffset === startOffset && form.endOffset === endOffset && hasForm(json, text, form)
    if (this.#lastForm < forms.length && isForm(forms[this.#lastForm])) return this.#lastForm
    const known = forms.findIndex(isForm)
    if (known !== -1) {
      this.#lastForm = known
      return known
    }
    const form = newForm(json, text, startOffset, endOffset)
    if (form === undefined || forms.length >= this.#limits.formsMax) return ODD_FORM
    return forms.push(form) - 1
  }

  #prefixOf(json: string, from: number, to: number): number {
    const last = this.prefixes[this.#lastPrefix]
    if (to - from === last.length && json.startsWith(last, from)) return this.#lastPrefix
    this.#lastPrefix = this.prefixNumber(json.slice(from, to))
    return this.#lastPrefix
  }

  /** The number of a prefix, which is added; that of the empty prefix if there are too many. */
  prefixNumber(prefix: string): number {
    const known = this.#prefixNumbers.get(prefix)
    if (known !== undefined) return known
    if (this.prefixes.length >= this.#limits.prefixesMax) return EMPTY_PREFIX
    this.#prefixNumbers.set(prefix, this.prefixes.length)
    return this.prefixes.push(prefix) - 1
  }

  /** The number of a form, which is added. */
  formNumber(form: SlotForm): number {
    const known = this.forms.findIndex((other) => FORM_FIELDS.every((field) => form[field] === other[field]))
    return known === -1 ? this.forms.push(form) - 1 : known
  }
}

/** Whether a record can have the times of a slot. */
export function hasRegularTimes(startMs: number, endMs: number): boolean {
  const minutes = (endMs - startMs) / MINUTE_MS
  return isRegularMinute(startMs) && Number.isInteger(minutes) && minutes <= DURATION_MAX
}

function hasForm(json: string, text: OwnText, { startTail, endTail, capacity, hasIdentifier }: SlotForm): boolean {
  const { start, startEnd, end, endEnd } = text
  return (
    isAt(startTail, json, start + TIME_LENGTH, startEnd) &&
    isAt(endTail, json, end + TIME_LENGTH, endEnd) &&
    isAt(capacity, json, text.capacity, text.capacityEnd) &&
    hasIdentifier === text.identifier < json.length
  )
}

/** Whether [from, to) of a text is `part`. */
function isAt(part: string, text: string, from: number, to: number): boolean {
  return part.length === to - from && text.startsWith(part, from)
}

/** Undefined if the slot's times cannot be written by a form. */
function newForm(json: string, text: OwnText, startOffset: number, endOffset: number): SlotForm | undefined {
  const isRegular = [startOffset, endOffset].every((offset) => Number.isInteger(offset) && Math.abs(offset) <= 1440)
  const startTail = json.slice(text.start + TIME_LENGTH, text.startEnd)
  const endTail = json.slice(text.end + TIME_LENGTH, text.endEnd)
  if (!isRegular || [startTail, endTail].some((tail) => tail.length > TAIL_LENGTH_MAX)) return undefined
  const capacity = json.slice(text.capacity, text.capacityEnd)
  return { startOffset, endOffset, startTail, endTail, capacity, hasIdentifier: text.identifier < json.length }
}

const FORM_FIELDS = ['startOffset', 'endOffset', 'startTail', 'endTail', 'capacity', 'hasIdentifier'] as const

const ODD: PackedText = { form: ODD_FORM, prefix: 0, start: 0, end: 0, link: 0, linkEnd: 0, identifier: 0 }
const EMPTY_PREFIX = 1
const DURATION_MAX = 65_535
/** In characters of at most three bytes, so that their number fits one byte, or two. */
export const LINK_LENGTH_MAX = 84
const IDENTIFIER_LENGTH_MAX = 21_845
/** Seconds, a fraction of nanoseconds and an offset. */
const TAIL_LENGTH_MAX = 24

/** Where the prefix of a link ends: behind the last of these characters. */
function cutOf(json: string, link: number, linkEnd: number): number {
  let cut = linkEnd
  while (cut > link && !isSeparator(json.charCodeAt(cut - 1))) cut--
  return cut
}

/** One of `/=&?`. */
export function isSeparator(code: number): boolean {
  return code === 47 || code === 61 || code === 38 || code === 63
}
