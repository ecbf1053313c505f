/** The address as a link may have it: what a publisher says is never a script. Undefined if it is no http or https address. */
export function webAddress(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
