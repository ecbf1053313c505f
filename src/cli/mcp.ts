import { readFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { parseBaseUrl } from '../config/environment.ts'
import { createMcpServer } from '../http/mcp/mcp-server.ts'
import { askOverHttp } from '../http/mcp/query-over-http.ts'
import { hasKeyForm } from '../keys/key-form.ts'
import { errorText } from '../lib/text.ts'
import { type Call, type Command, textOption, UsageFault } from './command.ts'
import { interruption } from './interruption.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** `mcp`: speaks MCP on standard input and output, to a service that runs elsewhere. */
export const mcp: Command = {
  operands: [],
  options: { url: { value: '<url>', means: 'where the service is: BASE_URL if you do not say' } },
  explanation: `For an assistant that starts its tools itself. It asks a running service over HTTP, with the API key in the environment variable
SLOTS_API_KEY; nothing else of this machine is touched. It ends when the assistant closes its input. A service can be spoken to without it
as well, at /mcp. How assistants are told of it: docs/guide/mcp.md`,
  examples: ['mcp', 'mcp --url https://slots.example.org'],
  async run(call) {
    const server = createMcpServer({
      ask: askOverHttp({ url: urlOf(call), apiKey: keyOf(call) }),
      version: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
      // Standard error: what stands on standard output is the protocol's.
      onFault: (fault) => call.tell(errorText(fault)),
    })
    const interrupted = interruption()
    const ended = Promise.withResolvers<void>()
    server.onclose = ended.resolve
    process.stdin.once('end', ended.resolve)
    interrupted.addEventListener('abort', () => ended.resolve())
    await server.connect(new StdioServerTransport())
    await ended.promise
    await server.close()
    process.stdin.destroy()
  },
}

function urlOf(call: Call): string {
  const text = textOption(call, 'url') ?? call.config.baseUrl
  const url = parseBaseUrl(text)
  if (url !== undefined && new URL(url).username === '' && new URL(url).password === '') return url
  throw new UsageFault('Cannot run "mcp": --url must be an http or https URL without a query or a password')
}

/** What came is not repeated: it may be a key that only lacks a letter. */
function keyOf(call: Call): string {
  const { apiKey = '' } = call.config
  if (hasKeyForm(apiKey)) return apiKey
  throw new UsageFault(
    'Cannot run "mcp": SLOTS_API_KEY must be an API key, as the dashboard or "key create" shows it',
  )
}
