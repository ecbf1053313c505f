import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fhirSearch } from '../../../../src/feeds/fhir-search/connector.ts'
import { files } from '../../../../src/feeds/files/connector.ts'
import { smartLinks } from '../../../../src/feeds/smart-links/connector.ts'
import { FhirServer } from '../fhir-server.ts'
import { asFile, DELIVERIES, type Delivery, deliver } from './deliveries.ts'
import {
  type FormatUnderTest,
  fhirSlot,
  HOSTILE_JSON,
  type OpenFeed,
  SUITE_DIRECTORY,
  SUITE_NOW_MS,
  SUITE_PLACE,
  type SuiteSlot,
} from './format-under-test.ts'

type Lines = () => Iterable<string>

const OPTIONS = { now: () => SUITE_NOW_MS, wait: async () => {} }

/** A manifest with files of Locations, Schedules and Slots. The last file has the delivery of the test. */
const smartLinksFormat: FormatUnderTest = {
  name: 'smart-links',
  format: 'smart-links',
  deliveries: DELIVERIES,
  firstLine: 1,
  line: (slot) => JSON.stringify(fhirSlot(slot)),
  hostileLines: HOSTILE_JSON,
  async open() {
    let published: { lines: Lines; delivery: Delivery } = { lines: () => [], delivery: 'whole' }
    const types = ['Location', 'Schedule', 'Slot']
    const manifest = JSON.stringify({ output: types.map((type) => ({ type, url: type })), error: [] })
    const server = createServer((request, response) => {
      const name = request.url?.slice(1) ?? ''
      if (name === '$bulk-publish') response.end(manifest)
      else if (name !== 'Slot')
        response.end(`${JSON.stringify(SUITE_DIRECTORY.find(({ resourceType }) => resourceType === name))}\n`)
      else deliver(response, framed('', published.lines(), '\n', ''), published.delivery)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/$bulk-publish`,
      publish: (lines, delivery = 'whole') => {
        published = { lines, delivery }
      },
      connector: (limits = {}, allowPrivate = true) =>
        smartLinks({ ...OPTIONS, allowPrivate, limits, resolve: PUBLIC }),
      [Symbol.asyncDispose]: () =>
        new Promise((closed) => {
          server.close(() => closed())
          server.closeAllConnections()
        }),
    }
  },
}

/** A server whose last page has the delivery of the test; the pages before it are valid. */
const fhirSearchFormat: FormatUnderTest = {
  name: 'fhir-search',
  format: 'fhir-search',
  deliveries: DELIVERIES,
  firstLine: 1,
  line: (slot) => JSON.stringify({ resource: fhirSlot(slot), search: { mode: 'match' } }),
  hostileLines: HOSTILE_JSON,
  async open() {
    const server = await FhirServer.open()
    let delivery: Delivery = 'whole'
    let pages = new LinePages(() => [])
    server.intercept = (request, response) => {
      if (request.url?.startsWith('/fhir/Slot') !== true) return false
      const page = Number(new URL(request.url, server.origin).searchParams.get('page') ?? 0)
      answerPage(response, pages.at(page), { next: `${server.base}/Slot?page=${page + 1}`, delivery })
      return true
    }
    return {
      url: server.base,
      publish: (lines, by = 'whole') => {
        pages = new LinePages(lines)
        delivery = by
      },
      connector: (limits = {}, allowPrivate = true) =>
        fhirSearch({ ...OPTIONS, allowPrivate, limits, resolve: PUBLIC }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
}

function answerPage(
  response: ServerResponse,
  { lines, isLast }: { lines: readonly string[]; isLast: boolean },
  { next, delivery }: { next: string; delivery: Delivery },
): void {
  const link = JSON.stringify(isLast ? [] : [{ relation: 'next', url: next }])
  const content = framed(`{"resourceType":"Bundle","link":${link},"entry":[`, lines, ',', `${directoryEntries()}]}`)
  deliver(response, content, isLast ? delivery : 'whole')
}

const LINES_PER_PAGE = 2000

/** Generates the lines of pages, which are requested in order; a request for the first page begins again. */
class LinePages {
  readonly #lines: Lines
  #iterator: Iterator<string> | undefined
  #ahead: string | undefined

  constructor(lines: Lines) {
    this.#lines = lines
  }

  at(page: number): { lines: readonly string[]; isLast: boolean } {
    if (page === 0 || this.#iterator === undefined) {
      this.#iterator = this.#lines()[Symbol.iterator]()
      this.#ahead = this.#next()
    }
    const lines: string[] = []
    while (this.#ahead !== undefined && lines.length < LINES_PER_PAGE) {
      lines.push(this.#ahead)
      this.#ahead = this.#next()
    }
    return { lines, isLast: this.#ahead === undefined }
  }

  #next(): string | undefined {
    const next = this.#iterator?.next()
    return next?.done ? undefined : next?.value
  }
}

const OF_FILES: readonly Delivery[] = ['whole', 'gzip', 'cut gzip', 'endless lines', 'endless line', 'bomb']

const ndjsonFormat: FormatUnderTest = {
  name: 'files, NDJSON',
  format: 'files',
  deliveries: OF_FILES,
  firstLine: 1,
  line: smartLinksFormat.line,
  hostileLines: HOSTILE_JSON,
  open: async () => openFile((lines) => framed('', lines, '\n', directoryLines())),
}

const bundleFormat: FormatUnderTest = {
  name: 'files, Bundle',
  format: 'files',
  deliveries: OF_FILES,
  firstLine: 1,
  line: fhirSearchFormat.line,
  hostileLines: HOSTILE_JSON,
  open: async () =>
    openFile((lines) => framed('{"resourceType":"Bundle","entry":[', lines, ',', `${directoryEntries()}]}`)),
}

const HEAD =
  'id,scheduleId,status,start,end,bookingDeepLink,capacity,acceptingPatients,location.name,location.addressLine,city,state,zip,modalities\n'

const csvFormat: FormatUnderTest = {
  name: 'files, CSV',
  format: 'files',
  deliveries: OF_FILES,
  firstLine: 2,
  line: (slot: SuiteSlot) => {
    const { id, status = '', start, end, bookingDeepLink = '', capacity = '', acceptingPatients = '' } = slot
    const { name, line, city, state, postalCode } = SUITE_PLACE
    const own = [id, 's1', status, start, end, bookingDeepLink, capacity, acceptingPatients]
    return [...own, name, line, city, state, postalCode, 'in-person'].join(',')
  },
  hostileLines: [
    'x',
    ',,,=cmd|calc,,,,,,,,,',
    `a,s1,${'\u{1f600}'.repeat(400)},2030,2031`,
    'a,s1,free\0\u001b[2J,2030-01-08T09:00:00Z,2030-01-08T10:00:00Z',
    `${'x,'.repeat(5000)}x`,
    `a,s1,free,${'9'.repeat(5000)},1`,
    `a,s1,free,2030-01-08T09:00:00Z,2030-01-08T10:00:00Z,javascript:alert(1)`,
  ],
  open: async () => openFile((lines) => framed(HEAD, lines, '\n', '')),
}

/** All formats. A connector that is not listed is not tested. */
export const FORMATS: readonly FormatUnderTest[] = [
  smartLinksFormat,
  fhirSearchFormat,
  ndjsonFormat,
  bundleFormat,
  csvFormat,
]

function openFile(content: (lines: Iterable<string>) => Iterable<string>): OpenFeed {
  let open = () => asFile(content([]), 'whole')
  return {
    url: '',
    publish: (lines, delivery = 'whole') => {
      open = () => asFile(content(lines()), delivery)
    },
    connector: ({ bodyBytesMax } = {}) =>
      files({
        file: { name: 'slots', open: () => open() },
        ...(bodyBytesMax !== undefined && { bytesMax: bodyBytesMax }),
      }),
    async [Symbol.asyncDispose]() {},
  }
}

/** The lines with an end each, between a beginning and an end of the document. */
function* framed(head: string, lines: Iterable<string>, end: string, foot: string): Generator<string> {
  yield head
  for (const line of lines) yield line + end
  yield foot
}

function directoryLines(): string {
  return SUITE_DIRECTORY.map((resource) => `${JSON.stringify(resource)}\n`).join('')
}

function directoryEntries(): string {
  return SUITE_DIRECTORY.map((resource) => JSON.stringify({ resource, search: { mode: 'include' } })).join()
}

/** Resolves names to a public address, to which the suite does not connect. */
const PUBLIC: NonNullable<Parameters<typeof smartLinks>[0]['resolve']> = (_name, _options, done) =>
  done(null, [{ address: '198.35.26.96', family: 4 }])
