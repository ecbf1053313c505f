import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { BASE_URL_SCHEMA } from '../config/variables.ts'
import { AnsweringTransport } from '../http/mcp/answering-transport.ts'
import { createMcpServer } from '../http/mcp/mcp-server.ts'
import { queryOverHttp } from '../http/mcp/query-service.ts'
import { hasKeyForm } from '../keys/key-ring.ts'
import { errorText } from '../lib/text.ts'
import { type Call, defineCommand, option, UsageError } from './command.ts'

/** `mcp`: serves MCP on standard input and output, backed by a remote service. */
export const mcp = defineCommand({
  description: `For assistants that start their tools as processes. It calls a running service over HTTP with the API key in SLOTS_API_KEY
and accesses nothing else on this machine. It ends when the assistant closes its input, after it has answered. The service also serves MCP directly
at /mcp. Configuration of assistants: docs/guide/mcp.md`,
  hasResult: false,
  examples: ['mcp', 'mcp --url https://slots.example.org'],
  input: { url: option(z.string().optional(), '<url>', 'address of the service (default: BASE_URL)') },
  async run(call, { url }) {
    const service = { url: serviceUrl(call, url), apiKey: keyOf(call) }
    const interrupted = call.interruption()
    const options = {
      ask: queryOverHttp({ ...service, signal: interrupted }),
      version: packageJson.version,
      // Standard output belongs to the protocol.
      onError: (error: unknown) => call.note(errorText(error)),
    }
    const transport = new AnsweringTransport()
    // The first message decides on the revision of the protocol.
    serveStdio(() => createMcpServer(options), { transport, maxSubscriptions: 0 })
    interrupted.addEventListener('abort', () => transport.abandon())
    await transport.closed
    process.stdin.destroy()
  },
})

function serviceUrl(call: Call, given: string | undefined): string {
  const url = BASE_URL_SCHEMA.safeParse(given ?? call.config.baseUrl).data
  if (url !== undefined && new URL(url).username === '' && new URL(url).password === '') return url
  throw new UsageError('Invalid --url: must be an http or https URL without a query and credentials')
}

/** The error does not repeat the value: it may be a mistyped key. */
function keyOf(call: Call): string {
  const { apiKey = '' } = call.config
  if (hasKeyForm(apiKey)) return apiKey
  throw new UsageError('Cannot serve MCP: SLOTS_API_KEY must be an API key from the dashboard or "key create"')
}
