import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpServerOptions } from './mcp-server.ts'

/**
 * Handles one message over HTTP with a JSON response, without session or stream. `request` has the headers only; `message` is
 * the parsed body.
 */
export async function handleMessage(request: Request, message: unknown, options: McpServerOptions): Promise<Response> {
  // Without a session ID generator there are no sessions; each message then needs a new transport and server.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
