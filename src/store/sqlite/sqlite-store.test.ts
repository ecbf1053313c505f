import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'
import { createEmptyDatabase } from '../../../test/support/store/empty-database.ts'

const tests = conformance(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
  const url = `sqlite:${folder}/slots.db`
  await createEmptyDatabase(url)
  return { url, drop: () => rm(folder, { recursive: true }) }
})
for (const { name, run } of tests) test(name, run)
