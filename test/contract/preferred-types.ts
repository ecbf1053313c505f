/** The offered media types with the highest weight in an `Accept` header (RFC 9110, 12.5.1); none if it accepts none. */
export function preferredTypes(accept: string | undefined, offered: readonly string[]): string[] {
  if (accept === undefined) return [...offered]
  const weights = offered.map((type) => weightOf(type, accept))
  const best = Math.max(...weights)
  return best === 0 ? [] : offered.filter((_, n) => weights[n] === best)
}

/** The weight of the most specific range that covers a type. */
export function weightOf(type: string, accept: string): number {
  const ranges = accept.split(',').map((range) => {
    const [name, weight = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase())
    return { name, weight: Number(weight.slice(2)) }
  })
  for (const name of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = ranges.find((range) => range.name === name)
    if (found !== undefined) return found.weight
  }
  return 0
}
