import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformance, type EmptyDatabase } from './conformance/conformance.ts'

conformance('sqlite', createSqlite)

async function createSqlite(): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-store-'))
  return { url: `sqlite:${folder}/slots.db`, drop: () => rm(folder, { recursive: true }) }
}
