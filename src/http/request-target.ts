/** A request target without the scheme and the host of its absolute-form, which proxies send (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
}

/**
 * The path of a request target in origin-form or absolute-form (RFC 9112, 3.2), without dot segments. Slashes at the beginning are part of
 * the path: a URL parser would take the second one for the start of a host.
 */
export function pathOfTarget(target: string): string {
  return URL.parse(target.replace(/^\//, 'http://localhost/'), 'http://localhost')?.pathname ?? target
}
