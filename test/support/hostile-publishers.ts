import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Delivery, deliver } from './feeds/conformance/deliveries.ts'

export const FETCHED_FORMATS = ['smart-links', 'fhir-search'] as const

export interface HostilePublishers {
  /** One for each format and delivery: `<format>-<place of the delivery>`. */
  readonly sources: readonly { slug: string; format: (typeof FETCHED_FORMATS)[number]; url: string }[]
  close(): Promise<void>
}

/** Publishers on loopback whose first response is valid, and all others hostile, each in another way. */
export async function startHostilePublishers(deliveries: readonly Delivery[]): Promise<HostilePublishers> {
  const server = createServer((request, response) => {
    const [, place, format] = (request.url ?? '').split('/')
    const delivery = deliveries[Number(place)]
    if (BEGINNING.test(request.url ?? '') || delivery === undefined) begin(response, format)
    else deliver(response, Array(100).fill(LINE), delivery)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    sources: deliveries.flatMap((_, place) =>
      FETCHED_FORMATS.map((format) => ({
        slug: `${format}-${place}`,
        format,
        url: `http://127.0.0.1:${port}/${place}/${format}${format === 'smart-links' ? '/feed' : ''}`,
      })),
    ),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const LINE = '{"resourceType":"Slot","id":"1","schedule":{"reference":"Schedule/s"},"status":"free"}\n'
const BEGINNING = /\/(?:feed|metadata)$/

/** The manifest or the CapabilityStatement is always valid; the responses after it are hostile. */
function begin(response: ServerResponse, format: string | undefined): void {
  if (format === 'smart-links') response.end('{"output":[{"type":"Slot","url":"slots"}]}')
  else response.end('{"resourceType":"CapabilityStatement","fhirVersion":"4.0.1"}')
}
