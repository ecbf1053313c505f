import fc from 'fast-check'
import type { PublishedSchema } from './published-document.ts'

/** Texts that a schema allows for a parameter. */
export function goodTexts(schema: PublishedSchema): fc.Arbitrary<string> {
  if (schema.items !== undefined) return goodTexts(schema.items)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false')
  if (schema.type === 'integer') return integers(schema)
  if (schema.type === 'number') return numbers(schema)
  if (schema.format === 'date-time') return instants
  if (schema.pattern !== undefined) return textsOf(schema.pattern)
  return words.filter((text) => fits(schema, text) === true)
}

/** Texts at and beyond the limits of a schema. Some of them are valid. */
export function doubtfulTexts(schema: PublishedSchema): fc.Arbitrary<string> {
  if (schema.items !== undefined) return doubtfulTexts(schema.items)
  const { minimum = 0, maximum = 9, maxLength = 200 } = schema
  const borders = [`${minimum - 1}`, `${BigInt(maximum) + 1n}`, '9'.repeat(30), 'a'.repeat(maxLength + 1)]
  const nearly = fc
    .tuple(goodTexts(schema), fc.nat(30), fc.constantFrom('', ' ', ',', '-', 'z', '0', '\0', 'é', '%', '\u{1f600}'))
    .map(([text, at, sign]) => [...text].toSpliced(at, 1, sign).join(''))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...borders) },
    { weight: 2, arbitrary: fc.constantFrom(...STRANGERS) },
    { weight: 2, arbitrary: nearly },
    { weight: 1, arbitrary: words },
  )
}

/**
 * Whether a schema allows a text in a URL; undefined for an unusual form of an allowed value (`007`), which the document does not
 * mention.
 */
export function fits(schema: PublishedSchema, text: string): boolean | undefined {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema
  if (schema.enum !== undefined) return schema.enum.includes(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'integer' || type === 'number') {
    const number = Number(text)
    if (!/^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)) return false
    const isOfType = type === 'number' || Number.isInteger(number)
    if (!isOfType || number < minimum || number > maximum || number <= exclusiveMinimum) return false
    return String(number) === text ? true : undefined
  }
  if (schema.format === 'date-time') return isInstant(text)
  if (schema.pattern !== undefined) return new RegExp(schema.pattern, 'u').test(text)
  const { length } = [...text]
  return length > 0 && length <= (schema.maxLength ?? Infinity)
}

/** Texts that match a pattern. They are generated once, which takes longer than a request, and by a constant seed, for replays. */
function textsOf(pattern: string): fc.Arbitrary<string> {
  const known = texts.get(pattern)
  if (known !== undefined) return known
  const matching = fc.stringMatching(new RegExp(pattern), { size: 'small' })
  const some = fc.sample(matching, { numRuns: 100, seed: 1 }).filter((text) => text !== '')
  const made = fc.constantFrom(...new Set(some))
  texts.set(pattern, made)
  return made
}

const texts = new Map<string, fc.Arbitrary<string>>()

const STRANGERS = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'TRUE',
  '1',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  '٣',
  '007',
  'FREE',
  'entered-in-error',
  'M',
  'MAS',
  'É1',
  "' OR 1=1 --",
  '../../etc/passwd',
  '90.1,0',
  '42,-71,1',
  '42.36, -71.06',
  '2026-13-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-06-01',
  '2026-06-01T00:00:00',
  '2026-06-01 00:00:00Z',
  '2026-06-01T24:00:00Z',
  'Mars/Olympus',
]

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed()),
  fc.constantFrom(
    'a'.repeat(200),
    '\u{1f600}'.repeat(200),
    '\u{1f600}'.repeat(201),
    'a&b=c',
    '%41',
    '+',
    'ＭＡ',
    '\r\n',
  ),
)

const instants = fc
  .record({
    ms: fc.oneof(
      fc.integer({ min: -40, max: 80 }).map((days) => Date.now() + days * 86_400_000),
      fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-30T00:00:00Z') }),
    ),
    ending: fc.constantFrom('.000Z', 'Z', '-05:00', '+05:45', '.123456789+14:00', '-23:59'),
  })
  .map(({ ms, ending }) => new Date(ms).toISOString().slice(0, 19) + ending)

function integers({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: PublishedSchema): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom(minimum, maximum),
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 40) }),
      fc.integer({ min: minimum, max: maximum }),
    )
    .map(String)
}

function numbers({ exclusiveMinimum = 0, maximum = 1 }: PublishedSchema): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom(maximum, 10, 0.1 + 0.2, 1 / 3, 0.1 * 1.609344),
      fc.double({ min: exclusiveMinimum, minExcluded: true, max: maximum, noNaN: true }),
    )
    .map(String)
}

/** Whether a text is an instant with an offset (RFC 3339, 5.6) on an existing day. */
function isInstant(text: string): boolean | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text)
  if (parts === null || Number(parts[5] ?? 0) > 23 || Number(parts[6] ?? 0) > 59) return false
  // Leap seconds, and fractions of many digits, are valid for some parameters only.
  if (parts[3] === '60' || (parts[4] ?? '').length > 10) return undefined
  const time = new Date(`${parts[1]}T${parts[2]}:${parts[3]}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(parts[1])
}
