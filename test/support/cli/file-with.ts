import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** The path of a CSV file with this text, removed after the test. */
export async function fileWith(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-import-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'slots.csv')
  await writeFile(path, text)
  return path
}
