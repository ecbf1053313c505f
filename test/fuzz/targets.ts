import { Readable } from 'node:stream'
import { type Connector, FeedFailure, type Source } from '../../src/feeds/connector.ts'
import { fhirSearch } from '../../src/feeds/fhir-search/connector.ts'
import { files } from '../../src/feeds/files/connector.ts'
import type { FileFormat } from '../../src/feeds/files/file-format.ts'
import { smartLinks } from '../../src/feeds/smart-links/connector.ts'
import { parseManifest } from '../../src/feeds/smart-links/manifest.ts'
import { SERVER_KINDS } from '../../src/shared/source-vocabulary.ts'
import { CountedDraft } from '../support/feeds/conformance/counted-draft.ts'
import { FhirServer } from '../support/feeds/fhir-server.ts'
import { Publisher } from '../support/feeds/publisher.ts'
import { type Corpus, FUZZ_NOW_MS } from './corpus.ts'
import type { Dice } from './dice.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate.ts'

/** Mutated manifests, lines, entries or rows in a batch, which is replayed as a whole. */
export const CASES_PER_BATCH = 500

/** Reads one batch of mutated input. Throws if the outcome is neither slots, rejections nor a `FeedFailure`. */
export type Target = (corpus: Corpus, dice: Dice) => Promise<void>

/** The outcomes of all batches of this thread. */
export const TALLY = { slots: 0, rejected: 0, withheld: 0, failures: 0 }

export const TARGETS = {
  manifests: fuzzManifests,
  'lines of smart-links': fuzzSmartLinks,
  'entries of fhir-search': fuzzFhirSearch,
  'lines of files': (corpus, dice) =>
    fuzzFile(joined([...linesOf(corpus.directory), ...mutatedLines(allOf(corpus), dice)], '\n'), 'ndjson', dice),
  'entries of files': fuzzDocument,
  'rows of files': fuzzCsv,
} satisfies Record<string, Target>
export type TargetName = keyof typeof TARGETS

async function fuzzManifests({ manifests }: Corpus, dice: Dice): Promise<void> {
  const base = new URL('https://clinic.example/$bulk-publish')
  for (let at = 0; at < CASES_PER_BATCH; at++) {
    const text = mutated(dice.pick(manifests), manifests, dice).toString()
    const listed = await orFailure(async () => parseManifest(text, base, dice.once(2)))
    for (const { url } of listed?.files ?? [])
      if (!/^https?:\/\/[^@]*$/.test(new URL(url).origin)) throw new Error(`it lists ${url}`)
  }
}

async function fuzzSmartLinks(corpus: Corpus, dice: Dice): Promise<void> {
  const lines = mutatedLines(corpus.slots, dice)
  const types = ['Location', 'Schedule', 'PractitionerRole', 'HealthcareService', 'Practitioner']
  const directory = [...linesOf(corpus.directory), ...mutatedLines(corpus.directory, dice, 60)]
  await using publisher = await Publisher.open({
    '/directory': (_, response) => response.end(joined(directory, '\n')),
    '/slots': (_, response) => response.end(joined(lines, dice.once(2) ? '\n' : '\r\n')),
  })
  const { origin } = publisher
  const listed = [
    ...types.map((type) => ({ type, url: `${origin}/directory` })),
    { type: 'Slot', url: `${origin}/slots` },
  ]
  publisher.files['/$bulk-publish'] = JSON.stringify({
    transactionTime: '2030-01-07T08:00:00Z',
    output: listed,
  })
  const connector = smartLinks({ allowPrivate: true })
  const source = sourceOf('smart-links', `${origin}/$bulk-publish`, dice)
  const draft = await readJudged(connector, source)
  if (draft !== undefined && draft.lines < lines.length)
    throw new Error(`Cannot account for all lines: ${draft.lines} of ${lines.length}`)
}

/** Pages of a hundred entries. In one of four pages, the text is mutated, too. */
async function fuzzFhirSearch(corpus: Corpus, dice: Dice): Promise<void> {
  for (let pages = CASES_PER_BATCH / 100; pages > 0; pages--) {
    await using server = await FhirServer.open()
    const known = corpus.directory.map((line) => `{"resource":${line}}`)
    const entries = [...mutatedEntries(corpus, dice, 100), ...known].join()
    const page = Buffer.from(`{"resourceType":"Bundle","link":[],"entry":[${entries}]}`)
    const sent = dice.once(4) ? mutateBytes(page, dice) : page
    server.intercept = (request, response) => {
      if (request.url?.startsWith('/fhir/Slot') !== true) return false
      response.end(sent)
      return true
    }
    const connector = fhirSearch({ allowPrivate: true, now: () => FUZZ_NOW_MS, wait: async () => {} })
    const options = dice.once(2) ? { server: dice.pick(SERVER_KINDS) } : {}
    await readJudged(connector, { ...sourceOf('fhir-search', server.base, dice), options })
  }
}

async function fuzzDocument(corpus: Corpus, dice: Dice): Promise<void> {
  for (let documents = CASES_PER_BATCH / 100; documents > 0; documents--) {
    const known = corpus.directory.map((line) => `{"resource":${line}}`)
    const entries = [...mutatedEntries(corpus, dice, 90), ...served(corpus, dice, 10), ...known]
    const [head, foot] = dice.pick([
      ['{"resourceType":"Bundle","entry":[', ']}'],
      ['{"slots":[', '],"total":3}'],
      ['[', ']'],
    ])
    const text = Buffer.from(`${head}${entries.join()}${foot}`)
    await fuzzFile(dice.once(4) ? mutateBytes(text, dice) : text, 'json', dice)
  }
}

function served({ served }: Corpus, dice: Dice, count: number): string[] {
  return Array.from({ length: count }, () => JSON.stringify(mutateJson(dice.pick(served), served, dice)) ?? '')
}

/** Tables of ten rows, because one quote may damage the rest of a table. */
async function fuzzCsv(corpus: Corpus, dice: Dice): Promise<void> {
  for (let tables = CASES_PER_BATCH / 10; tables > 0; tables--) {
    const delimiter = dice.pick([',', ',', ';', '\t'])
    const rows = Array.from({ length: 10 }, () => {
      const row = Buffer.from(mutatedCells(dice.pick(corpus.csvRows), dice).join(delimiter))
      return dice.once(4) ? mutateBytes(row, dice) : row
    })
    const head = Buffer.from(corpus.csvHead.replaceAll(',', delimiter))
    const table = joined([dice.once(10) ? mutateBytes(head, dice) : head, ...rows], dice.pick(['\n', '\r\n', '\r']))
    await fuzzFile(table, dice.once(10) ? undefined : 'csv', dice)
  }
}

function mutatedCells(cells: readonly string[], dice: Dice): string[] {
  const changed = [...cells]
  for (let changes = 1 + dice.below(3); changes > 0; changes--) {
    const at = dice.below(changed.length)
    const text = mutateText(changed[at], dice)
    changed[at] = dice.once(3) ? text : `"${text.replaceAll('"', '""')}"`
  }
  return changed
}

async function fuzzFile(content: Buffer, format: FileFormat | undefined, dice: Dice): Promise<void> {
  const file = { name: 'file', open: () => Readable.from([Buffer.from(content)]) }
  const timeZone = dice.once(2) ? 'America/New_York' : undefined
  await readJudged(files({ file, format, timeZone, dateOrder: 'mdy' }), sourceOf('files', '', dice))
}

function allOf({ slots, directory, served }: Corpus): readonly string[] {
  return [...slots, ...slots, ...directory, ...served]
}

function mutatedEntries({ slots, directory }: Corpus, dice: Dice, count: number): string[] {
  return Array.from({ length: count }, () => {
    const resource = mutateJson(dice.pick(dice.once(5) ? directory : slots), slots, dice)
    return JSON.stringify({ fullUrl: mutateText('urn:uuid:1', dice), resource, search: { mode: 'match' } })
  })
}

/** Single lines that are not blank, so that they can be counted. */
function mutatedLines(samples: readonly string[], dice: Dice, count = CASES_PER_BATCH): Buffer[] {
  return Array.from({ length: count }, () => {
    const line = mutated(dice.pick(samples), samples, dice)
    const isBlank = line.toString().trim() === ''
    return isBlank ? Buffer.from('x') : (line.map((byte) => (byte === 10 || byte === 13 ? 32 : byte)) as Buffer)
  })
}

function mutated(sample: string, others: readonly string[], dice: Dice): Buffer {
  const bytes = Buffer.from(JSON.stringify(mutateJson(sample, others, dice)) ?? '')
  return dice.once(5) ? mutateBytes(bytes, dice) : bytes
}

function linesOf(texts: readonly string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text))
}

function joined(lines: readonly Buffer[], end: string): Buffer {
  const ends = Buffer.from(end)
  return Buffer.concat(lines.flatMap((line) => [line, ends]))
}

function sourceOf(format: Source['format'], url: string, dice: Dice): Source {
  return { slug: 'fuzzed', format, url, options: {}, strict: dice.once(5) }
}

async function readJudged(connector: Connector, source: Source): Promise<CountedDraft | undefined> {
  const draft = new CountedDraft()
  return orFailure(async () => {
    await connector.read(source, draft, AbortSignal.timeout(60_000))
    const { put, rejected, withheld } = draft.counts
    TALLY.slots += put
    TALLY.rejected += rejected
    TALLY.withheld += withheld
    return draft
  })
}

/** The result; undefined if it rejects with a `FeedFailure`. */
async function orFailure<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error
    if (!/^Cannot .+/.test(error.message) || error.message.length > 1500)
      throw new Error(`Cannot tell a failure in a sentence: got "${error.message}"`)
    TALLY.failures++
    return undefined
  }
}
