import { readFileSync } from 'node:fs'
import { formatSlotLine, SampleFeed } from '../../demo/sample-feed.ts'
import { CSV_COLUMNS, csvTemplate } from '../../src/feeds/files/csv-columns.ts'
import { feedFiles } from '../support/feeds/recorded-feeds.ts'

/** The time of the samples. */
export const FUZZ_NOW_MS = Date.UTC(2030, 0, 7, 8)

const ORIGIN = 'http://127.0.0.1'

/** Samples of each type, and of each recorded file. */
const LINES_PER_FILE = 60

/** The inputs to mutate: the generator's feed, the fixtures, and recorded feeds if present. */
export interface Corpus {
  readonly manifests: readonly string[]
  /** Samples with one resource each. */
  readonly directory: readonly string[]
  readonly slots: readonly string[]
  /** Slots in the form of `/v1`. */
  readonly served: readonly string[]
  readonly csvHead: string
  readonly csvRows: readonly (readonly string[])[]
}

/** Deterministic, except for recorded feeds. */
export function readCorpus(): Corpus {
  const feed = new SampleFeed(300, 1)
  const [{ state }] = feed.states
  const generated = [...feed.slots(state.code, FUZZ_NOW_MS)].map((slot) => formatSlotLine(slot, ORIGIN))
  const recorded = recordedResources()
  const directory = [
    ...feed.directoryTypes().flatMap((type) => [...feed.directory(type)].slice(0, LINES_PER_FILE)),
    ...recorded.filter((line) => !isSlot(line)),
  ]
  const ids = new Set(directory.map((line) => JSON.parse(line).id))
  // A slot with a dangling reference is always rejected, whatever the mutation.
  const isJoined = (line: string) => ids.has(JSON.parse(line).schedule.reference.split('/').pop())
  const [csvHead, ...rows] = csvTemplate().trimEnd().split('\n')
  return {
    manifests: [...recordedManifests(), manifest()],
    directory,
    slots: [...generated.filter(isJoined).slice(0, 100), ...recorded.filter(isSlot).filter(isJoined)],
    served: rows.map((row) => JSON.stringify(servedOf(row.split(',')))),
    csvHead,
    csvRows: rows.map((row) => row.split(',')),
  }
}

function manifest(): string {
  const types = ['Location', 'Schedule', 'Slot', 'PractitionerRole', 'HealthcareService', 'Practitioner']
  const output = types.map((type) => ({
    type,
    url: `https://clinic.example/feed/${type}.ndjson?v=1`,
    extension: { state: ['MA'] },
  }))
  return JSON.stringify({ transactionTime: '2030-01-07T08:00:00Z', request: ORIGIN, output, error: [] })
}

/** A row of the template as an object of the same fields. */
function servedOf(cells: readonly string[]): object {
  const served: Record<string, Record<string, string>> = {}
  for (const [at, { name }] of CSV_COLUMNS.entries()) {
    const [first, second] = name.split('.')
    if ((cells[at] ?? '') === '') continue
    if (second === undefined) Object.assign(served, { [first]: cells[at] })
    else served[first] = { ...served[first], [second]: cells[at] }
  }
  return served
}

function isSlot(line: string): boolean {
  return line.includes('"resourceType":"Slot"')
}

function recordedFiles(end: string): string[] {
  return feedFiles(end).map((path) => readFileSync(path, 'utf8'))
}

function recordedManifests(): string[] {
  return recordedFiles('bulk-publish.json').map((text) => {
    const { output, ...rest } = JSON.parse(text)
    return JSON.stringify({ ...rest, output: output.slice(0, 20) })
  })
}

function recordedResources(): string[] {
  const lines = recordedFiles('.ndjson').flatMap((text) => text.trimEnd().split('\n').slice(0, LINES_PER_FILE))
  const documents = recordedFiles('.json').filter((text) => text.includes('"resourceType"'))
  return [...lines, ...documents].map((text) => {
    const { text: _, ...resource } = JSON.parse(text)
    return JSON.stringify(resource)
  })
}
