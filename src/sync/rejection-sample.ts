import type { Rejected } from '../feeds/connector.ts'

/** Rejections kept per sync. */
const REJECTIONS_MAX = 1000

/** Rejections kept per kind of reason, so that a frequent reason does not hide a rare one. */
const REJECTIONS_OF_KIND_MAX = 100

/** Counts all rejections of a sync; keeps the first 1,000, and at most 100 per kind of reason. */
export class RejectionSample {
  readonly #kept: Rejected[] = []
  readonly #countByKind = new Map<string, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  get kept(): readonly Rejected[] {
    return this.#kept
  }

  add(rejected: Rejected): void {
    this.#count++
    if (this.#kept.length >= REJECTIONS_MAX) return
    const kind = kindOf(rejected.reason)
    const ofKind = this.#countByKind.get(kind) ?? 0
    if (ofKind >= REJECTIONS_OF_KIND_MAX) return
    this.#countByKind.set(kind, ofKind + 1)
    this.#kept.push(rejected)
  }
}

/** The reason without quoted values and digits, which differ from line to line. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"?|\d+/g, '')
}
