import type { Rejected } from '../feeds/connector.ts'

/** What a sync keeps of its rejections. */
const REJECTIONS_MAX = 1000

/** Of one kind, so that a frequent reason does not hide a rare one. */
const REJECTIONS_OF_KIND_MAX = 100

/** Counts all rejections of a sync; keeps the first 1,000, but of one kind of reason at most 100. */
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

/** The reason less what differs from line to line: quoted values and digits. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"?|\d+/g, '')
}
