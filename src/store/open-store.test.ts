import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { openStore, sqlitePath } from './open-store.ts'

test('makes the folder and the files readable by nobody but their owner', async (t) => {
  const folder = join(tempFolder(t), 'data', 'deep')
  const store = await openStore(`sqlite:${folder}/slots.db`)
  await store.organizations.create('Acme')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const files = await readdir(folder)
  assert.deepEqual(files.sort(), ['slots.db', 'slots.db-shm', 'slots.db-wal'])
  for (const file of files) assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600)
  await store.close()
  assert.deepEqual(await readdir(folder), ['slots.db'])
})

test('opens a file whose folder has a name with spaces, a line break and other signs of URLs', async (t) => {
  const path = join(tempFolder(t), 'a b\nc?d#%20ü', 'slots.db')
  const store = await openStore(`sqlite:${path}`)
  t.after(() => store.close())
  assert.equal(sqlitePath(`sqlite:${path}`), path)
})

test('refuses a URL that names neither a SQLite file nor a PostgreSQL database, and repeats nothing that may be secret', async () => {
  for (const url of [
    '',
    'slots.db',
    'sqlite:',
    'sqlite:slots.db',
    'sqlite::memory:',
    'sqlite://host/x',
    'mysql://u:geheim@h/x',
  ]) {
    await assert.rejects(openStore(url), (error: Error) => {
      assert.match(error.message, /^Cannot open store: DATABASE_URL must be sqlite:/)
      assert.doesNotMatch(error.message, /geheim/)
      return true
    })
  }
  await assert.rejects(openStore('postgres://u:geheim@h:x/y'), (error: Error) => {
    assert.match(error.message, /^Cannot open store: DATABASE_URL must be like postgres:/)
    assert.doesNotMatch(error.message, /geheim/)
    return true
  })
})

test('refuses a store that a newer version wrote, and leaves it as it is', async (t) => {
  const path = join(tempFolder(t), 'slots.db')
  await (await openStore(`sqlite:${path}`)).close()
  const database = new DatabaseSync(path)
  database.exec("insert into migrations (name, applied_at_ms) values ('9999-later', 1)")
  database.close()
  await assert.rejects(openStore(`sqlite:${path}`), /a newer version upgraded it to schema "9999-later"/)
})

test('refuses a file that is no database, and leaves it as it is', async (t) => {
  const path = join(tempFolder(t), 'notes.txt')
  const text = 'not a database, but long enough to have room for the header of one. '.repeat(10)
  await writeFile(path, text)
  await assert.rejects(openStore(`sqlite:${path}`), /^Error: Cannot open store ".*notes\.txt": file is not a database$/)
  assert.equal(await readFile(path, 'utf8'), text)
})

test('keeps every table strict and every number an integer', async (t) => {
  const path = join(tempFolder(t), 'slots.db')
  await (await openStore(`sqlite:${path}`)).close()
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  const tables = database.prepare("select name, strict from pragma_table_list where name not like 'sqlite_%'").all()
  assert.deepEqual(
    tables.filter((table) => table.strict !== 1),
    [],
  )
  assert.ok(tables.length > 20, `got ${tables.length}`)
})
