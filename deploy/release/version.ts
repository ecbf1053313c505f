import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Semantic Versioning 2.0.0, without build metadata: it does not order versions. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?$/i

/** Throws unless `next` is a semantic version after `current` (Semantic Versioning 2.0.0, 11). */
export function requireLater(next: string, current: string): void {
  if (!VERSION.test(next))
    throw new Error(`"${next}" is not a semantic version: write one such as 0.2.0 or 0.2.0-rc.1.`)
  if (compareVersions(next, current) <= 0)
    throw new Error(`Version ${next} does not follow ${current}: choose a later one.`)
}

/** Negative if `a` precedes `b`, positive if it follows it. Both are semantic versions. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  for (let n = 0; n < 3; n++) if (one.core[n] !== other.core[n]) return one.core[n] - other.core[n]
  if (one.labels.length === 0 || other.labels.length === 0) return other.labels.length - one.labels.length
  for (const [n, label] of one.labels.entries()) {
    if (n >= other.labels.length) return 1
    const order = compareLabels(label, other.labels[n])
    if (order !== 0) return order
  }
  return one.labels.length - other.labels.length
}

function partsOf(version: string) {
  const [, major, minor, patch, labels] = VERSION.exec(version) ?? []
  return { core: [major, minor, patch].map(Number), labels: labels?.split('.') ?? [] }
}

/** Numbers precede other labels. */
function compareLabels(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [a, b].map((label) => /^\d+$/.test(label))
  if (isNumber && isOtherNumber) return Number(a) - Number(b)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Files that state the version outside npm's, and the places in them. */
const STATED: readonly { path: string; places: readonly RegExp[] }[] = [
  { path: 'server.json', places: [/(?<=^ {2}"version": ")[^"]+/m] },
  {
    path: 'deploy/helm/scheduling-slots/Chart.yaml',
    places: [/(?<=^version: )\S+/m, /(?<=^appVersion: ")[^"]+/m],
  },
]

/** Writes the version into the files of a checkout that npm does not write. */
export function writeVersion(folder: string, version: string): void {
  for (const { path, places } of STATED) {
    let text = readFileSync(join(folder, path), 'utf8')
    for (const place of places) {
      if (!place.test(text)) throw new Error(`Cannot find the version in ${path}.`)
      text = text.replace(place, version)
    }
    writeFileSync(join(folder, path), text)
  }
}
