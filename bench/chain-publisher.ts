import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argv } from 'node:process'

// A publisher of an update chain, in a process of its own: a root of <slots> slots, and pages of <changes> changed slots each. Prints its
// address. `POST /update` publishes the next page.

const SLOTS_PER_FILE = 20_000
const SLOTS_PER_SCHEDULE = 100
const [slots = 0, changes = 0] = argv.slice(2).map(Number)
const START_MS = Date.UTC(2030, 0, 7)
let updates = 0

const server = createServer((request, response) => {
  const [, kind = '', name = ''] = (request.url ?? '').split('/')
  if (request.method === 'POST') updates++
  const body = bodyOf(kind, Number.parseInt(name, 10))
  response.writeHead(body === undefined ? 404 : 200).end(body)
})

function bodyOf(kind: string, number: number): string | undefined {
  if (kind === 'update') return ''
  if (kind === 'root') return page(rootFiles(), 0)
  if (kind === 'page') return page(number === 0 ? [] : [{ type: 'Slot', url: `/changed/${number}` }], number + 1)
  if (kind === 'schedules')
    return lines(Math.ceil(slots / SLOTS_PER_SCHEDULE), (at) => ({
      resourceType: 'Schedule',
      id: `schedule-${at}`,
      actor: [{ reference: `Location/location-${at % 1000}` }],
      serviceType: [{ text: 'General Practice' }],
    }))
  if (kind === 'locations')
    return lines(1000, (at) => ({
      resourceType: 'Location',
      id: `location-${at}`,
      name: `Clinic ${at}`,
      address: { line: [`${at} Main Street`], city: 'Boston', state: 'MA', postalCode: '02110' },
    }))
  const first = number * SLOTS_PER_FILE
  if (kind === 'slots') return lines(Math.min(SLOTS_PER_FILE, slots - first), (at) => slotOf(first + at, 'free'))
  // Each update changes other slots, spread over the whole feed.
  const step = Math.floor(slots / changes)
  if (kind === 'changed') return lines(changes, (at) => slotOf((at * step + number) % slots, 'busy'))
  return undefined
}

function rootFiles(): { type: string; url: string }[] {
  const files = Array.from({ length: Math.ceil(slots / SLOTS_PER_FILE) }, (_, at) => ({
    type: 'Slot',
    url: `/slots/${at}`,
  }))
  return [{ type: 'Location', url: '/locations' }, { type: 'Schedule', url: '/schedules' }, ...files]
}

/** The page before the page of a number, which exists once it was published. */
function page(output: readonly { type: string; url: string }[], next: number): string {
  const url = next > updates ? '#pending' : `/page/${next}`
  return JSON.stringify({
    manifestType: 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest',
    transactionTime: new Date(START_MS + next * 60_000).toISOString(),
    requiresAccessToken: false,
    output,
    link: [{ relation: 'next', url }],
  })
}

function lines(count: number, resourceOf: (at: number) => object): string {
  return Array.from({ length: count }, (_, at) => `${JSON.stringify(resourceOf(at))}\n`).join('')
}

function slotOf(at: number, status: string): object {
  // Ids in no order, as of a random generator.
  const id = `${((at * 2_654_435_761) % 4_294_967_296).toString(16)}-${at}`
  const startMs = START_MS + (at % SLOTS_PER_SCHEDULE) * 900_000
  return {
    resourceType: 'Slot',
    id,
    schedule: { reference: `Schedule/schedule-${Math.floor(at / SLOTS_PER_SCHEDULE)}` },
    status,
    start: new Date(startMs).toISOString(),
    end: new Date(startMs + 900_000).toISOString(),
    extension: [
      {
        url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link',
        valueUrl: `https://booking.example.org/slots/${id}`,
      },
    ],
  }
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/root`))
