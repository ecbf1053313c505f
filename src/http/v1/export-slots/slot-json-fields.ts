const QUOTE = 0x22
const BACKSLASH = 0x5c
const ID_FROM = '{"id":"'.length
const ID_LENGTH = 24
const STATUS_FROM = ID_FROM + ID_LENGTH + '","status":"'.length
const BEFORE_START = '","start":"'.length
const BEFORE_END = '","end":"'.length
const BEFORE_LINK = ',"bookingDeepLink":'.length
const BEFORE_CAPACITY = ',"capacity":'.length
/** The first letter of the name distinguishes `,"bookingDeepLink"`, `,"capacity"` and `,"identifier"`. */
const LETTER_AT = 2
const LETTER_B = 0x62
const LETTER_C = 0x63
const COMMA = 0x2c

/**
 * The byte ranges of the fields in a slot's own JSON, as `encodeSlot()` wrote it; found in one pass. Strings without escapes (id, status,
 * times) exclude their quotes, the link includes them. The range of an absent field is empty.
 *
 *     {"id":"…","status":"…","start":"…","end":"…","bookingDeepLink":"…","capacity":9,"identifier":[…]
 */
export class SlotJsonFields {
  idFrom = 0
  idTo = 0
  statusFrom = 0
  statusTo = 0
  startFrom = 0
  startTo = 0
  endFrom = 0
  endTo = 0
  linkFrom = 0
  linkTo = 0
  capacityFrom = 0
  capacityTo = 0
  /** Name and value: `"identifier":[…]`. */
  identifierFrom = 0
  identifierTo = 0

  /** Finds the fields in the bytes from `from` to before `to`. */
  read(json: Buffer, from: number, to: number): void {
    this.idFrom = from + ID_FROM
    this.idTo = this.idFrom + ID_LENGTH
    this.statusFrom = from + STATUS_FROM
    this.statusTo = nextQuote(json, this.statusFrom)
    this.startFrom = this.statusTo + BEFORE_START
    this.startTo = nextQuote(json, this.startFrom)
    this.endFrom = this.startTo + BEFORE_END
    this.endTo = nextQuote(json, this.endFrom)
    let read = this.endTo + 1
    const hasLink = read < to && json[read + LETTER_AT] === LETTER_B
    this.linkFrom = hasLink ? read + BEFORE_LINK : read
    this.linkTo = hasLink ? closingQuote(json, this.linkFrom + 1) + 1 : read
    read = this.linkTo
    const hasCapacity = read < to && json[read + LETTER_AT] === LETTER_C
    this.capacityFrom = hasCapacity ? read + BEFORE_CAPACITY : read
    this.capacityTo = hasCapacity ? endOfNumber(json, this.capacityFrom, to) : read
    this.identifierFrom = Math.min(this.capacityTo + 1, to)
    this.identifierTo = to
  }
}

function nextQuote(json: Buffer, from: number): number {
  let at = from
  while (json[at] !== QUOTE) at++
  return at
}

function endOfNumber(json: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && json[at] !== COMMA) at++
  return at
}

/** The closing quote of a JSON string. */
function closingQuote(json: Buffer, from: number): number {
  let at = from
  while (json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
