import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { SlotsClient } from '../../../client/src/slots-client.ts'
import type { SlotsClientOptions } from '../../../client/src/transport.ts'
import { listenOnLoopback } from '../listen-on-loopback.ts'

/** Responds to one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void

/** A server that runs the given steps, one per request, repeating the last; and its client. */
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
  })
  const { origin: url } = await listenOnLoopback(t, server)
  return { client: new SlotsClient({ url, apiKey: 'svc_sk_secret', ...options }), requests, url }
}

/** A JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** An empty page of slots. */
export const EMPTY = json(200, { slots: [], total: 0 })

/** Closes the connection without a response. */
export const BROKEN: Step = (response) => response.destroy()

/** Never responds. */
export const SILENT: Step = () => undefined
