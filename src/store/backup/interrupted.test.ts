import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { tempDatabaseUrl } from '../../../test/support/store/temp-store.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { openStore, sqlitePath } from '../open-store.ts'
import { backUpSqlite } from './back-up.ts'
import { restoreSqlite } from './restore.ts'
import { checkStoreFile } from './sqlite-file.ts'

/** If the restore is killed, the next start must not find an empty place and begin a new store there. */
test('there is a store at each moment of a restore that replaces one', async (t) => {
  const { path, copy } = await backedUp()
  const rows = `${path}-rows`
  mkdirSync(rows)
  for (let n = 0; n < 5_000; n++) writeFileSync(join(rows, `${n}.rows`), '')
  const missed = await watch(t, path)
  await restoreSqlite(copy, path, { replace: true, revocationLog: undefined, now: Date.now })
  assert.equal(await missed(), 0)
})

/** In a container, the command has the same process id each time. */
test('a backup and a restore run beside the unfinished files of a killed process with the same id', async () => {
  const { path, copy } = await backedUp()
  const [next, restored] = [`${path}.next`, `${path}.restored`]
  for (const file of [next, restored]) writeFileSync(`${file}.partial-${process.pid}`, 'unfinished')
  await backUpSqlite(path, next)
  await restoreSqlite(copy, restored, { replace: false, revocationLog: undefined, now: Date.now })
})

test('a backup gets its name on a file system without hard links, and replaces no file there', async (t) => {
  const { path } = await backedUp()
  const folder = tempFolder(t)
  const [file, taken] = [join(folder, 'copy.db'), join(folder, 'taken.db')]
  const link = t.mock.method(fs, 'linkSync', (_from: string, to: string) => {
    if (to === taken) writeFileSync(taken, 'of another')
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  t.after(() => {
    link.mock.restore()
    syncBuiltinESMExports()
  })
  const { bytes } = await backUpSqlite(path, file)
  assert.deepEqual([statSync(file).size, statSync(file).mode & 0o777], [bytes, 0o600])
  assert.equal(checkStoreFile(file).revision, 0)
  await assert.rejects(backUpSqlite(path, taken), /EEXIST/)
  assert.equal(readFileSync(taken, 'utf8'), 'of another')
  assert.deepEqual(readdirSync(folder).sort(), ['copy.db', 'taken.db'])
})

test('a failed restore leaves no folder that it created', async (t) => {
  const [folder, file] = [join(tempFolder(t), 'data'), join(tempFolder(t), 'text')]
  writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(100))
  const path = join(folder, 'store', 'slots.db')
  const attempt = restoreSqlite(file, path, { replace: false, revocationLog: undefined, now: Date.now })
  await assert.rejects(attempt, /not a database/)
  assert.ok(!existsSync(folder))
})

test('a failed restore says why if another process has used the folder that it created', async (t) => {
  const [folder, file] = [join(tempFolder(t), 'data'), join(tempFolder(t), 'text')]
  writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(100))
  const options = { replace: false, revocationLog: undefined, now: Date.now }
  const attempt = restoreSqlite(file, join(folder, 'slots.db'), options)
  writeFileSync(join(folder, 'other'), 'of another')
  await assert.rejects(attempt, /not a database/)
  assert.deepEqual(readdirSync(folder), ['other'])
})

async function backedUp(): Promise<{ readonly path: string; readonly copy: string }> {
  const databaseUrl = tempDatabaseUrl()
  const path = sqlitePath(databaseUrl) ?? ''
  await (await openStore(databaseUrl)).close()
  const copy = `${path}.copy`
  await backUpSqlite(path, copy)
  return { path, copy }
}

/** Looks for a file all the time. The function that it returns ends that, and returns how often the file was missing. */
async function watch(t: TestContext, path: string): Promise<() => Promise<number>> {
  const worker = new Worker(LOOK, { eval: true, workerData: path })
  t.after(() => worker.terminate())
  await once(worker, 'message')
  return async () => {
    worker.postMessage('end')
    const [missed] = await once(worker, 'message')
    return missed
  }
}

const LOOK = `
  const { existsSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  let missed = 0
  let isOver = false
  parentPort.once('message', () => { isOver = true })
  parentPort.postMessage('started')
  const look = () => {
    if (!existsSync(workerData)) missed++
    if (isOver) parentPort.postMessage(missed)
    else setImmediate(look)
  }
  look()`
