import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformance } from '../../../test/support/store/conformance/conformance.ts'

conformance('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
  return { url: `sqlite:${folder}/slots.db`, drop: () => rm(folder, { recursive: true }) }
})
