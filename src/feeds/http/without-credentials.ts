/** A URL as it may be shown and sent: without user and password. */
export function withoutCredentials(url: URL): URL {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain
}
