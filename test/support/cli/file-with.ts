import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { tempFolder } from '../temp-folder.ts'

/** The path of a CSV file with this text, removed after the test. */
export async function fileWith(t: TestContext, text: string): Promise<string> {
  const folder = tempFolder(t)
  const path = join(folder, 'slots.csv')
  await writeFile(path, text)
  return path
}
