// Hot path

/** One choice of a list: its name in lower case, less its parameters, and how much it is liked, from 0 (not at all) to 1. */
export interface Weighted {
  readonly name: string
  readonly weight: number
}

/**
 * Reads a list as `Accept` and its like have it (RFC 9110, 12.4.2). Empty elements are none (5.6.1.2). A weight that cannot
 * be read says nothing: whoever names a thing likes it.
 */
export function parseWeightedList(text: string): Weighted[] {
  // What stands within quotes may part nothing (5.6.4), and nothing here is told by it.
  const plain = text.includes('"') ? text.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""') : text
  const list: Weighted[] = []
  for (const element of plain.toLowerCase().split(',')) {
    const end = element.indexOf(';')
    const name = (end === -1 ? element : element.slice(0, end)).trim()
    if (name !== '') list.push({ name, weight: end === -1 ? 1 : weightIn(element.slice(end)) })
  }
  return list
}

/** `qvalue` (12.4.2), with any number of digits behind the point. */
function weightIn(parameters: string): number {
  const written = /;\s*q=(0(?:\.\d*)?|1(?:\.0*)?)\s*(?:;|$)/.exec(parameters)
  return written === null ? 1 : Number(written[1])
}
