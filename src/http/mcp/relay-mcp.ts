/** Where MCP is spoken over HTTP. Answered by another thread, under the same keys as `/v1`: see `McpEndpoint`. */
export const MCP_PATH = '/mcp'

/** Whether a request target leads there: written as it is, so that none that is not behind the key is taken for it. */
export function isMcp(target: string): boolean {
  if (!target.startsWith(MCP_PATH)) return false
  return target.length === MCP_PATH.length || target[MCP_PATH.length] === '?' || target === `${MCP_PATH}/`
}
