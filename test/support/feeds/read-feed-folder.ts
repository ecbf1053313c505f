import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../src/feeds/connector.ts'
import { smartLinks } from '../../../src/feeds/smart-links/connector.ts'
import { type Published, Publisher } from './publisher.ts'
import { RecordedDraft } from './recorded-draft.ts'
import type { FeedFolder } from './recorded-feeds.ts'

/** The slots of a publication in a folder, read from a publisher that serves it; its slug is the name of the folder. */
export async function readFeedFolder({ name, folder }: FeedFolder): Promise<RecordedDraft> {
  const files: Record<string, Published> = {}
  for (const file of readdirSync(folder)) files[`/${file}`] = readFileSync(join(folder, file), 'utf8')
  const { output, ...published } = JSON.parse(String(files['/bulk-publish.json']))
  files['/$bulk-publish'] = JSON.stringify({
    ...published,
    output: output.flatMap((entry: { url: string }) => present(entry, files)),
  })
  await using publisher = await Publisher.open(files)
  const draft = new RecordedDraft()
  const source: Source = {
    slug: name,
    format: 'smart-links',
    url: `${publisher.origin}/$bulk-publish`,
    options: {},
    strict: false,
  }
  await smartLinks({ allowPrivate: true }).read(source, draft, new AbortController().signal)
  return draft
}

/** The entry with the name of its recorded file (`…/slots/NJ.ndjson` is `slots-NJ.ndjson`), or nothing. */
function present<T extends { url: string }>(entry: T, files: Record<string, Published>): T[] {
  const [folder, last] = new URL(entry.url).pathname.split('/').slice(-2)
  const file = [`/${last}`, `/${folder}-${last}`].find((path) => path in files)
  return file === undefined ? [] : [{ ...entry, url: file }]
}
