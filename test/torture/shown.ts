import type { FeedHistory, Version } from './feed-history.ts'
import type { Figures } from './figures.ts'
import type { Floor } from './judge.ts'
import { longestWaitMs, type ProcessorWaits } from './processor-waits.ts'
import type { TortureNode } from './torture-node.ts'
import { LOSS, RECONNECTING, STARVED, type Troubles } from './troubles.ts'

type NodeWaits = ReadonlyMap<TortureNode, ProcessorWaits>

/** What each node is known to have shown: from then on it must not show anything older. */
export class Shown {
  readonly #histories: readonly FeedHistory[]
  readonly #figures: Figures
  readonly #troubles: Troubles
  readonly #floors = new Map<TortureNode, Map<string, number>>()
  /** By node, the newest revision of the store, as its ETags tell it. */
  readonly #revisions = new Map<TortureNode, number>()
  readonly #stores = new Map<TortureNode, string>()
  readonly #commits = new Map<number, { seenMs: number; waits: NodeWaits }>()
  readonly #publications = new Map<Version, NodeWaits>()

  constructor(histories: readonly FeedHistory[], figures: Figures, troubles: Troubles) {
    this.#histories = histories
    this.#figures = figures
    this.#troubles = troubles
  }

  /** The node starts anew now: it must show at least what any has shown before. */
  restarts(node: TortureNode): void {
    const floor = this.#floorOf(node)
    for (const other of this.#floors.values()) {
      for (const [slug, number] of other) floor.set(slug, Math.max(number, floor.get(slug) ?? 0))
    }
  }

  /** What the node may not fall behind, from now on. */
  floorOf(node: TortureNode): Floor {
    return new Map(this.#floorOf(node))
  }

  /** A page was judged to be of these versions, or newer ones. */
  note(node: TortureNode, oldest: Floor): void {
    const floor = this.#floorOf(node)
    const nowMs = performance.now()
    // What a node shows then may be lost.
    if (this.#troubles.fellInto(nowMs, nowMs, [LOSS])) return
    for (const [slug, number] of oldest) {
      const known = floor.get(slug) ?? 0
      if (number <= known) continue
      floor.set(slug, number)
      const first = this.#histories.find((history) => history.slug === slug)?.find(known + 1)
      if (first === undefined) continue
      const isTroubled = this.#troubles.anyFellInto(first.publishedAtMs, nowMs)
      const elapsedMs = nowMs - first.publishedAtMs - this.#waitedMs(first, node)
      this.#figures.changes.note(Math.max(0, elapsedMs), isTroubled)
    }
  }

  /** A version was published a moment ago. */
  published(version: Version, nodes: readonly TortureNode[]): void {
    this.#publications.set(version, waitsOf(nodes))
  }

  /** A commit was seen in the database, at the latest at that time. */
  committed(revision: number, seenMs: number, nodes: readonly TortureNode[]): void {
    if (this.#commits.has(revision)) return
    this.#commits.set(revision, { seenMs, waits: waitsOf(nodes) })
  }

  /** The store that the node's last page named: another one after a failover. */
  storeOf(node: TortureNode): string | undefined {
    return this.#stores.get(node)
  }

  /**
   * A page had this ETag: its store and its revision. All nodes and both databases share the machine: the time for which a node was ready
   * to run but had no processor is not counted.
   */
  noteRevision(node: TortureNode, etag: string): void {
    const [store, text] = etag.split('.')
    const revision = Number(text)
    this.#stores.set(node, store)
    const known = this.#revisions.get(node) ?? revision
    this.#revisions.set(node, Math.max(known, revision))
    const nowMs = performance.now()
    for (let each = known + 1; each <= revision; each++) {
      const commit = this.#commits.get(each)
      if (commit === undefined) continue
      const abouts = [node.name, 'database', RECONNECTING, STARVED]
      const isTroubled = this.#troubles.fellInto(commit.seenMs - 1000, nowMs, abouts)
      const waitedMs = longestWaitMs(commit.waits.get(node) ?? new Map(), node.waits())
      this.#figures.commits.note(Math.max(0, nowMs - commit.seenMs - waitedMs), isTroubled)
    }
  }

  /** One node shows a version that it or any other has read: for how long both had no processor. */
  #waitedMs(version: Version, node: TortureNode): number {
    const waits = [...(this.#publications.get(version) ?? [])]
    const waitedMs = new Map(waits.map(([each, before]) => [each, longestWaitMs(before, each.waits())]))
    const shownMs = waitedMs.get(node) ?? 0
    waitedMs.delete(node)
    return shownMs + Math.max(0, ...waitedMs.values())
  }

  #floorOf(node: TortureNode): Map<string, number> {
    let floor = this.#floors.get(node)
    if (floor === undefined) {
      floor = new Map()
      this.#floors.set(node, floor)
    }
    return floor
  }
}

function waitsOf(nodes: readonly TortureNode[]): NodeWaits {
  return new Map(nodes.map((node) => [node, node.waits()]))
}
