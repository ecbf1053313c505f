import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { copyIn } from './bulk-writer.ts'
import { readByCursor } from './database.ts'

const server = await sharedPostgres()
const client = new pg.Client(await server.createDatabase())
await client.connect()
after(async () => {
  await client.end()
  await server[Symbol.asyncDispose]()
})

await client.query('create table copied (number bigint primary key, text text not null)')

test('copies every text unchanged, including the special characters of COPY', async () => {
  const anyText = fc.array(fc.constantFrom('\\', '\t', '\n', '\r', '\\N', '\\.', 'ä', '😀', '"', 'n', ''), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 20 }), async (texts) => {
      const rows = texts.map((characters, at) => [at, characters.join('')] as const)
      await client.query('truncate copied')
      await copyIn(client, 'copied (number, text)', rows)
      const { rows: found } = await client.query('select number, text from copied order by number')
      assert.deepEqual(
        found.map(({ number, text }) => [Number(number), text]),
        rows,
      )
    }),
    { numRuns: 50 },
  )
})

test('copies more than the buffer of a socket holds', async () => {
  await client.query('truncate copied')
  const rows = Array.from({ length: 3000 }, (_, at) => [at, 'x'.repeat(100)] as const)
  await copyIn(client, 'copied (number, text)', rows)
  const { rows: found } = await client.query('select count(*)::int, sum(length(text))::int from copied')
  assert.deepEqual(found, [{ count: 3000, sum: 300_000 }])
})

test('rejects with the error of the database, inserts no row, and leaves the connection usable', async () => {
  await client.query('truncate copied')
  const twice = [
    [1, 'one'],
    [1, 'again'],
  ] as const
  await assert.rejects(copyIn(client, 'copied (number, text)', twice), { code: '23505' })
  await assert.rejects(copyIn(client, 'copied (nowhere)', twice), { code: '42703' })
  const { rows } = await client.query('select * from copied')
  assert.deepEqual(rows, [])
})

test('rejects when the connection breaks during a copy', async () => {
  const broken = new pg.Client(await server.createDatabase())
  broken.on('error', () => undefined)
  await broken.connect()
  await broken.query('create table copied (number bigint)')
  const copying = copyIn(broken, 'copied (number)', [[1]])
  broken.connection.stream.destroy()
  await assert.rejects(copying, /Connection terminated/)
})

test('reads each row once, in batches that are full except the last', async () => {
  for (const [count, sizes] of [
    [0, []],
    [9, [9]],
    [10, [10]],
    [25, [10, 10, 5]],
  ] as const) {
    const pieces = await inTransaction(() => allOf(numbers(count)))
    assert.deepEqual(
      pieces.map((rows) => rows.length),
      sizes,
    )
    assert.deepEqual(
      pieces.flat().map(([number]) => Number(number)),
      Array.from({ length: count }, (_, at) => at + 1),
    )
  }
})

test('allows other queries between two batches, and closes the cursor when the loop ends early', async () => {
  await inTransaction(async () => {
    for await (const rows of numbers(1000)) {
      const { rows: other } = await client.query('select 7 as seven')
      assert.deepEqual([rows.length, other], [10, [{ seven: 7 }]])
      break
    }
    const { rows } = await client.query('select name from pg_cursors')
    assert.deepEqual(rows, [])
  })
})

test('rejects with the error of a batch', async () => {
  const divided = readByCursor(reader, CompiledQuery.raw('select 10 / (15 - n) from generate_series(1, 20) as n'), {
    name: 'divided',
    rowsMax: 10,
  })
  await client.query('begin')
  await assert.rejects(allOf(divided), { code: '22012' })
  await client.query('rollback')
})

const reader = {
  arrays: async ({ sql, parameters }: CompiledQuery) =>
    (await client.query({ text: sql, values: [...parameters], rowMode: 'array' })).rows,
}

function numbers(count: number): ReturnType<typeof readByCursor> {
  const query = CompiledQuery.raw('select n from generate_series(1, $1::int) as n', [count])
  return readByCursor(reader, query, { name: 'numbers', rowsMax: 10 })
}

async function allOf(pieces: ReturnType<typeof readByCursor>): Promise<(readonly (readonly unknown[])[])[]> {
  const all: (readonly (readonly unknown[])[])[] = []
  for await (const rows of pieces) all.push(rows)
  return all
}

async function inTransaction<T>(act: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    return await act()
  } finally {
    await client.query('commit')
  }
}
