import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpParts } from './mcp-server.ts'

/**
 * Answers one message over HTTP, as JSON: no session outlives it, and nothing is streamed. `request` has the headers alone, `message` is
 * its body, parsed.
 */
export async function speakMcp(request: Request, message: unknown, parts: McpParts): Promise<Response> {
  // Without a generator of ids there are no sessions; each message then needs a transport, and so a server, of its own.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(parts)
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
