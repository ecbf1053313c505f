/** The value with the properties of its objects in order of their names. */
export function sortedByName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedByName)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, one]) => [name, sortedByName(one)]))
}
