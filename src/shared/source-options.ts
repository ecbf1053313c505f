/** How many days ahead a search asks for slots by default. */
export const DAYS_AHEAD = 30
export const DAYS_AHEAD_MAX = 366

/** The environment variables that the options of a source refer to, each once. */
export function secretsIn(options: object): readonly string[] {
  const references = JSON.stringify(options).matchAll(/\$\{(SOURCE_[A-Z0-9_]{1,100})\}/g)
  return [...new Set(Array.from(references, ([, name]) => name))]
}
