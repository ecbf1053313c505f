import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { manifest, Publisher } from '../../../test/support/feeds/publisher.ts'
import { readText } from '../../../test/support/feeds/read-text.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { feedsWithManifest } from '../../../test/support/feeds/recorded-feeds.ts'
import { smartLinks } from '../smart-links/connector.ts'

for (const { name, folder, skip } of feedsWithManifest()) {
  test(`reads the same slots from the concatenated files of ${name} as from its feed`, { skip }, async () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'))
    const texts = names.map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    const { draft, notes } = await readText(texts.map((text) => text.replace(/\n*$/, '\n')).join(''))
    const fed = await readFeed(names, texts)
    assert.deepEqual(idsOf(draft), idsOf(fed))
    assert.equal(notes.format, 'ndjson')
    for (const slot of draft.slots) assert.deepEqual(slot, fed.held.get(slot.id)?.slot)
  })
}

async function readFeed(names: readonly string[], texts: readonly string[]): Promise<RecordedDraft> {
  const types = names.map((_, n) => typesIn(texts[n]))
  const listed = Object.fromEntries(names.flatMap((name, n) => types[n].map((type) => [`/${type}/${name}`, type])))
  const files = Object.fromEntries(
    names.flatMap((name, n) => types[n].map((type) => [`/${type}/${name}`, ofType(texts[n], type)])),
  )
  await using publisher = await Publisher.open({ ...files, '/$bulk-publish': manifest(listed) })
  const draft = new RecordedDraft()
  const source = { slug: 'clinic', format: 'smart-links', options: {}, strict: false } as const
  const url = `${publisher.origin}/$bulk-publish`
  await smartLinks({ allowPrivate: true }).read({ ...source, url }, draft, AbortSignal.timeout(60_000))
  return draft
}

function typesIn(text: string): string[] {
  return [
    ...new Set(
      [
        ...text.matchAll(
          /"resourceType"\s*:\s*"(Slot|Schedule|Location|Practitioner|PractitionerRole|HealthcareService)"/g,
        ),
      ].map(([, type]) => type),
    ),
  ]
}

function ofType(text: string, type: string): string {
  return text
    .split('\n')
    .filter((line) => new RegExp(`"resourceType"\\s*:\\s*"${type}"`).test(line))
    .join('\n')
}

function idsOf(draft: RecordedDraft): string[] {
  return draft.slots.map(({ id }) => id).sort()
}
