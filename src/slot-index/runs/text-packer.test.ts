import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { casesOf } from '../../../test/support/cases.ts'
import { localTime } from '../../../test/support/slot-index/run-samples.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { slotId } from '../../slot/ids.ts'
import { encodeSlot } from '../../slot/slot.ts'
import { idBitsOf } from '../slot-ids.ts'
import type { SlotToPack } from './pack-rows.ts'
import { ODD_FORM } from './row-record.ts'
import { type PackedText, SlotTexts } from './slot-texts.ts'
import { TextPacker } from './text-packer.ts'

const DAY = Date.UTC(2026, 10, 22)

/** Few forms and prefixes, so that often two slots that follow each other have the same. */
const slot = fc
  .record({
    n: fc.nat(1e6),
    minute: fc.integer({ min: -60, max: 3000 }),
    minutes: fc.constantFrom(0, 15, 15, 15, 1 / 3, 65_536),
    offset: fc.constantFrom(-300, -300, -300, 0),
    capacity: fc.constantFrom(undefined, undefined, 3),
    link: fc.constantFrom(
      undefined,
      'https://a.example/book?slot=',
      'https://a.example/"ü"/',
      'x',
      'https://a.example/\\',
    ),
    suffix: fc.constantFrom('', '7', 'é', '"', '\\', 'x'.repeat(84), 'x'.repeat(85)),
    identifier: fc.constantFrom(undefined, undefined, undefined, 'é', '7'),
  })
  .map(({ n, minute, minutes, offset, capacity, link, suffix, identifier }): SlotToPack => {
    const startMs = DAY + minute * MINUTE_MS
    const endMs = startMs + Math.floor(minutes * MINUTE_MS)
    const json = encodeSlot({
      id: slotId('p', 's', String(n), { startMs, endMs }),
      status: 'free',
      start: localTime(startMs, offset, ':00'),
      end: localTime(endMs, offset, ':00'),
      startMs,
      endMs,
      ...(link !== undefined && { bookingDeepLink: link + n + suffix }),
      ...(capacity !== undefined && { capacity }),
      ...(identifier !== undefined && { identifier: [{ value: identifier }] }),
      offering: { publisher: 'p', scheduleId: 's', isVirtual: false },
    })
    return { startMs, endMs, json }
  })

const damage = fc.record({
  at: fc.nat(250),
  length: fc.nat(3),
  text: fc.oneof(anyCharacter, fc.constantFrom('', '"', '\\', '",', '0', '1', '/')),
})

test('packs slots as dividing the text of each does', () => {
  const damaged = fc
    .tuple(slot, fc.option(damage, { nil: undefined, freq: 2 }))
    .map(([slot, { at, length, text } = { at: 0, length: 0, text: '' }]) => ({
      ...slot,
      json: slot.json.slice(0, at) + text + slot.json.slice(at + length),
    }))
  fc.assert(
    fc.property(fc.array(damaged, { maxLength: 30, size: 'max' }), (slots) => {
      const texts = new SlotTexts()
      const packer = new TextPacker(texts)
      const dividing = new SlotTexts()
      for (const slot of slots) {
        const packed = packer.pack(slot)
        const expected = dividing.pack(slot.json, slot.startMs, slot.endMs)
        assert.deepEqual(
          partsOf(packed, packer.bytes.subarray(0, packer.length)),
          partsOf(expected, slot.json),
          slot.json,
        )
        if (packed.form !== ODD_FORM) assert.deepEqual(packer.idBits, idBitsOf(slot.json.slice(7, 31)))
      }
      assert.deepEqual([texts.forms, texts.prefixes], [dividing.forms, dividing.prefixes])
    }),
    { numRuns: casesOf(1000) },
  )
})

test('divides the first text of a form and prefix only', () => {
  let divided = 0
  class CountingTexts extends SlotTexts {
    override pack(json: string, startMs: number, endMs: number): PackedText {
      divided++
      return super.pack(json, startMs, endMs)
    }
  }
  const packer = new TextPacker(new CountingTexts())
  for (let n = 0; n < 100; n++) {
    const startMs = DAY + n * 15 * MINUTE_MS
    const endMs = startMs + 15 * MINUTE_MS
    packer.pack({ startMs, endMs, json: textOf(startMs, endMs, n < 50 ? -300 : -240, String(n)) })
  }
  assert.equal(divided, 2)
})

test('does not take an escaped quote for the end of a link', () => {
  const packer = new TextPacker(new SlotTexts())
  const [startMs, endMs] = [DAY, DAY + 15 * MINUTE_MS]
  const formOf = (link: string) => packer.pack({ startMs, endMs, json: textOf(startMs, endMs, 0, link) }).form
  assert.deepEqual([formOf('1'), formOf('2\\\\'), formOf('3\\')], [0, 0, ODD_FORM])
})

function textOf(startMs: number, endMs: number, offset: number, link: string): string {
  const id = slotId('p', 's', link, { startMs, endMs })
  const [start, end] = [startMs, endMs].map((ms) => localTime(ms, offset, ':00'))
  return `{"id":"${id}","status":"free","start":"${start}","end":"${end}","bookingDeepLink":"https://a.example/${link}"`
}

function partsOf({ form, prefix, link, linkEnd, identifier }: PackedText, text: Buffer | string) {
  const part = (from: number, to: number) => Buffer.from(text.slice(from, to)).toString()
  return form === ODD_FORM ? form : [form, prefix, part(link, linkEnd), part(identifier, text.length)]
}
