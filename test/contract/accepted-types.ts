/** The media types that an `Accept` header likes best among those offered (RFC 9110, 12.5.1); none if it allows none. */
export function likedTypes(accept: string | undefined, offered: readonly string[]): string[] {
  if (accept === undefined) return [...offered]
  const weights = offered.map((type) => weightOf(type, accept))
  const best = Math.max(...weights)
  return best === 0 ? [] : offered.filter((_, n) => weights[n] === best)
}

/** That of the most exact range that covers a type. */
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
