import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Directory } from '../feeds/fhir/directory.ts'
import { readSlot } from '../feeds/fhir/read-slot.ts'
import type { DirectoryResourceType } from '../feeds/fhir/resources.ts'
import { Offerings } from '../feeds/files/record-fields.ts'
import { readSlotRecord } from '../feeds/files/slot-record.ts'
import { InvalidData } from '../feeds/rejections.ts'
import { asObject, type Json } from '../lib/json.ts'
import { encodeOffering, encodeSlot, type Slot } from '../slot/slot.ts'

const PAGE = readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8')

/** A minimal feed, which a row of the table changes. */
const PLAIN: Readonly<Record<string, readonly Json[]>> = {
  Location: [
    { id: 'l', name: 'Elm Street Clinic', address: { state: 'MA' } },
    { id: 'v', physicalType: { coding: [{ code: 'vi' }] } },
    { id: 'm', address: { state: 'ME' } },
  ],
  Schedule: [{ id: 's', actor: [{ reference: 'Location/l' }] }],
  PractitionerRole: [
    { id: 'r', location: [{ reference: 'Location/l' }], practitioner: { reference: 'Practitioner/p' } },
  ],
  Practitioner: [{ id: 'p' }],
  HealthcareService: [{ id: 'h', location: [{ reference: 'Location/l' }] }],
  Slot: [
    {
      id: 'x',
      schedule: { reference: 'Schedule/s' },
      status: 'free',
      start: '2026-03-21T10:00:00-04:00',
      end: '2026-03-21T10:15:00-04:00',
    },
  ],
}

/** The actor of the Schedule, for rows about practitioners, roles and services. */
const ACTORS: Readonly<Record<string, string>> = {
  PractitionerRole: 'PractitionerRole/r',
  Practitioner: 'PractitionerRole/r',
  HealthcareService: 'HealthcareService/h',
}

interface Row {
  readonly field: string
  readonly type?: string
  readonly as: Json
  readonly served: string
}

for (const row of rowsOf(5).map(([field, type, , as, served]) => rowFrom(field, as, served, type))) {
  test(`${row.type} with ${JSON.stringify(row.as).slice(0, 120)} has ${row.field} ${row.served}`, () => {
    assertServed(row, () => readFrom(row))
  })
}

for (const row of rowsOf(3).map(([field, as, served]) => rowFrom(field, as, served))) {
  test(`a record with ${JSON.stringify(row.as)} has ${row.field} ${row.served}`, () => {
    const plain = { id: 'x', start: '2026-03-21T10:00:00-04:00', end: '2026-03-21T10:15:00-04:00' }
    const rules = { offerings: new Offerings('p') }
    assertServed(row, () => readSlotRecord({ ...plain, ...row.as }, rules as never))
  })
}

test('the tables contain every field of a slot, and where it comes from', () => {
  const fields = new Set(rowsOf(5).map(([field]) => plainText(field ?? '')))
  const all =
    'status start end scheduleId serviceTypeCode serviceTypeText serviceTypes appointmentType acceptingPatients isVirtual modalities ' +
    'bookingDeepLink bookingPhone capacity identifier serviceStates location.name location.phone location.website location.addressLine ' +
    'location.city location.state location.postalCode location.latitude location.longitude provider.name provider.specialty provider.npi'
  assert.deepEqual([...fields].sort(), all.split(' ').sort())
  assert.ok(rowsOf(3).length > 15)
  const [, origins = ''] = /## Where each field comes from(.*?)\n## /s.exec(PAGE) ?? []
  const explained = [...origins.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.split(', ').map(plainText))
  assert.deepEqual(explained.sort(), [...all.split(' '), 'id', 'publisher'].sort())
})

/** The rows of all tables with this number of columns, without headings. */
function rowsOf(columns: number): string[][] {
  const cells = PAGE.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('&#124;', '|')),
    )
  return cells.filter((row) => row.length === columns && row[columns - 2]?.startsWith('`{'))
}

function rowFrom(field = '', as = '', served = '', type?: string): Row {
  const written = asObject(JSON.parse(plainText(as))) ?? {}
  return {
    field: plainText(field),
    as: written,
    served: plainText(served),
    ...(type === undefined ? {} : { type }),
  }
}

/** The text without Markdown for code and bold. */
function plainText(cell: string): string {
  return cell.replace(/^(?:`|\*\*)|(?:`|\*\*)$/g, '')
}

function assertServed({ field, served }: Row, read: () => Slot | undefined): void {
  if (served === 'rejected') {
    assert.throws(read, InvalidData)
    return
  }
  const slot = read()
  if (served === 'withheld' || slot === undefined) {
    assert.deepEqual([slot, served], [undefined, 'withheld'])
    return
  }
  const json = JSON.parse(encodeSlot(slot) + encodeOffering(slot.offering))
  const value = field.split('.').reduce((within: unknown, name) => asObject(within)?.[name], json)
  assert.deepEqual(value, served === '-' ? undefined : JSON.parse(served))
}

function readFrom({ type = '', as }: Row): Slot | undefined {
  const directory = new Directory('p', false)
  const actor = ACTORS[type]
  for (const [name, resources] of Object.entries(PLAIN)) {
    if (name === 'Slot') continue
    for (const [at, resource] of resources.entries()) {
      const changed = name === 'Schedule' && actor !== undefined ? { actor: [{ reference: actor }] } : {}
      directory.put(name as DirectoryResourceType, {
        ...resource,
        ...changed,
        ...(name === type && at === 0 ? as : {}),
      })
    }
  }
  return readSlot({ ...PLAIN.Slot?.[0], ...(type === 'Slot' ? as : {}) }, directory)
}
