import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OPEN_INVITATIONS_MAX } from '../src/http/dashboard-api/invitations/invitations.ts'
import { ACTIVE_KEYS_MAX } from '../src/http/dashboard-api/keys/keys.ts'
import { OWNED_MAX } from '../src/http/dashboard-api/organizations/organizations.ts'
import { ACTOR_PARAMETERS } from '../src/http/v1/list-actors/list-actors.ts'
import { FACET_PARAMETERS } from '../src/http/v1/list-facets/list-facets.ts'
import { SCHEMAS } from '../src/http/v1/openapi/schemas.ts'
import { AUDIT_KINDS } from '../src/shared/audit-kinds.ts'
import { mayDo, PERMISSIONS, type Permission } from '../src/shared/permissions.ts'
import { FILTER_PARAMETERS } from '../src/slot/filter-parameters.ts'
import { PAGE_PARAMETERS, SLOT_PARAMETERS } from '../src/slot/slot-query.ts'
import { SOURCE_HEALTHS } from '../src/slot/source-freshness.ts'
import { DAYS_MAX, VALUES_MAX } from '../src/slot-index/counts/facet-counts.ts'
import { documentedExamples } from './support/documented-examples.ts'
import { ROOT } from './support/source-files.ts'

test('the table of roles has a row for every permission with its roles', () => {
  const yes = (may: boolean) => (may ? 'yes' : 'no')
  assert.deepEqual(
    rowsOf('organizations', 'permission').map(([permission, , ...roles]) => [permission, ...roles]),
    (Object.keys(PERMISSIONS) as Permission[]).map((permission) => [
      `\`${permission}\``,
      yes(mayDo('member', permission)),
      yes(mayDo('admin', permission)),
      yes(mayDo('owner', permission)),
    ]),
  )
})

test('the page on the audit log has a row for every event kind', () => {
  assert.deepEqual(
    rowsOf('audit', 'kind').map(([kind]) => kind),
    AUDIT_KINDS.map((kind) => `\`${kind}\``),
  )
})

test('the page on slots has a row for every parameter', () => {
  assert.deepEqual(
    rowsOf('slots', 'parameter')
      .map(([parameter]) => parameter)
      .sort(),
    Object.keys(SLOT_PARAMETERS)
      .map((parameter) => `\`${parameter}\``)
      .sort(),
  )
})

test('the page on search has a row for every parameter beside the filters, with its resources', () => {
  const tables = { facets: FACET_PARAMETERS, actors: ACTOR_PARAMETERS, publishers: PAGE_PARAMETERS }
  const rows = rowsOf('search-page', 'parameter').map(([name, of]) => [name, of])
  const names = Object.values(tables).flatMap((table) => Object.keys(table))
  const expected = [...new Set(names)]
    .filter((name) => !(name in FILTER_PARAMETERS))
    .map((name) => [
      `\`${name}\``,
      Object.entries(tables)
        .filter(([, table]) => name in table)
        .map(([resource]) => resource)
        .join(', '),
    ])
  assert.deepEqual(rows.toSorted(), expected.toSorted())
})

test('the page on search documents the number of facet values and each publisher status', () => {
  const bounds = rowsOf('search-page', 'facet').map(([facet, , max]) => [facet, Number(max)])
  assert.deepEqual(Object.fromEntries(bounds), {
    '`state`': VALUES_MAX,
    '`isVirtual`': 2,
    '`serviceType`': VALUES_MAX,
    '`specialty`': VALUES_MAX,
    '`day`': DAYS_MAX,
  })
  assert.deepEqual(
    rowsOf('search-page', 'status').map(([status]) => status),
    SOURCE_HEALTHS.map((status) => `\`${status}\``),
  )
})

test('the examples read only fields that slots and actors have', () => {
  const known = new Set([SCHEMAS.Slot, SCHEMAS.Actor].flatMap(({ properties }) => Object.keys(Object(properties))))
  const code = documentedExamples().flatMap((example) => Object.values(example.code))
  const read = code.flatMap((text) =>
    [...text.matchAll(FIELDS)].flatMap(([, ...fields]) => fields.filter(Boolean).join(', ').split(', ')),
  )
  assert.ok(read.length > 10)
  assert.deepEqual(
    [...new Set(read)].filter((field) => !known.has(field)),
    [],
  )
})

/** The fields of a slot or an actor in TypeScript, destructured and by name, and in Python. */
const FIELDS = /\(?\{ ([\w, ]+) \}(?:\) =>| of\b)|\bslot\.(?!get\b)(\w+)|\bslot(?:\.get\(|\[)"(\w+)/g

test('the page on limits has the actual limits', () => {
  const bounds = new Map(rowsOf('limits', 'what').map(([what, bound]) => [what, bound]))
  assert.equal(bounds.get('active keys of an organization'), String(ACTIVE_KEYS_MAX))
  assert.equal(bounds.get('pending invitations of an organization'), String(OPEN_INVITATIONS_MAX))
  assert.equal(bounds.get('organizations that one account may own'), String(OWNED_MAX))
})

/** The cells of the table of a page of the guide whose first column is called so. */
function rowsOf(page: string, firstColumn: string): string[][] {
  const text = readFileSync(join(ROOT, `docs/guide/${page}.md`), 'utf8')
  const table = new RegExp(`^\\| ${firstColumn} .*\n\\|[-| ]+\n((?:\\|.*\n)+)`, 'm').exec(text)?.[1]
  assert.ok(table, page)
  return table
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}
