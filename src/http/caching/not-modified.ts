// Hot path
import type { IncomingMessage } from 'node:http'

/** Whether the caller holds this very answer: `If-None-Match` (RFC 9110, 13.1.2), by weak comparison. */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  const held = request.headers['if-none-match']
  if (held === undefined) return false
  if (held === etag || held.trim() === '*') return true
  return held.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
