import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'
import { openStore } from '../open-store.ts'

// Each test gets a copy of an empty store, which takes a tenth of the time of migrating a new file.
const template = await mkdtemp(join(tmpdir(), 'slots-store-template-'))
await (await openStore(`sqlite:${template}/slots.db`)).close()
after(() => rm(template, { recursive: true }))

conformance('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
  await copyFile(`${template}/slots.db`, `${folder}/slots.db`)
  return { url: `sqlite:${folder}/slots.db`, drop: () => rm(folder, { recursive: true }) }
})
