import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SlotsClient } from '../../../client/src/slots-client.ts'
import type { SlotsClientOptions } from '../../../client/src/transport.ts'

/** Answers one request, in the way that is to be tried. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void

/** A server that answers as told, step by step and the last step for ever; and a client of it. */
export async function faultServer(
  t: TestContext,
  steps: readonly Step[],
  options: Partial<SlotsClientOptions> = {},
): Promise<{ client: SlotsClient; requests: IncomingMessage[]; url: string }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)]
    requests.push(request)
    step(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: new SlotsClient({ url, apiKey: 'svc_sk_secret', ...options }), requests, url }
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** An empty page of slots. */
export const EMPTY = json(200, { slots: [], total: 0 })

/** The connection ends without an answer. */
export const BROKEN: Step = (response) => response.destroy()

/** Nothing ever comes. */
export const SILENT: Step = () => undefined
