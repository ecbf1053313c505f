import type { FeedHistory, Version } from './feed-history.ts'
import type { Figures } from './figures.ts'
import type { Floor } from './judge.ts'
import { LOSS, type Outages, RECONNECTING, STARVED } from './outages.ts'
import { longestWaitMs, type ProcessorWaits } from './processor-waits.ts'
import type { TortureNode } from './torture-node.ts'

type NodeWaits = ReadonlyMap<TortureNode, ProcessorWaits>

/** The newest versions that each node has served: it must not serve older ones after. Measures how late it served them. */
export class ServedVersions {
  readonly #histories: readonly FeedHistory[]
  readonly #figures: Figures
  readonly #outages: Outages
  readonly #floors = new Map<TortureNode, Map<string, number>>()
  /** By node, the newest revision of the store in its ETags. */
  readonly #revisions = new Map<TortureNode, number>()
  readonly #stores = new Map<TortureNode, string>()
  readonly #commits = new Map<number, { seenMs: number; waits: NodeWaits }>()
  readonly #publications = new Map<Version, NodeWaits>()

  constructor(histories: readonly FeedHistory[], figures: Figures, outages: Outages) {
    this.#histories = histories
    this.#figures = figures
    this.#outages = outages
  }

  /** The node restarts: it must serve at least the versions that any node has served. */
  restarts(node: TortureNode): void {
    const floor = this.#floorOf(node)
    for (const other of this.#floors.values()) {
      for (const [slug, number] of other) floor.set(slug, Math.max(number, floor.get(slug) ?? 0))
    }
  }

  /** The oldest versions that the node may serve from now on. */
  floorOf(node: TortureNode): Floor {
    return new Map(this.#floorOf(node))
  }

  /** The node served a page of these versions or newer ones. */
  note(node: TortureNode, oldest: Floor): void {
    const floor = this.#floorOf(node)
    const nowMs = performance.now()
    // The versions may be lost.
    if (this.#outages.during(nowMs, nowMs, [LOSS])) return
    for (const [slug, number] of oldest) {
      const known = floor.get(slug) ?? 0
      if (number <= known) continue
      floor.set(slug, number)
      const first = this.#histories.find((history) => history.slug === slug)?.find(known + 1)
      if (first === undefined) continue
      const isDisturbed = this.#outages.anyDuring(first.publishedAtMs, nowMs)
      const elapsedMs = nowMs - first.publishedAtMs - this.#waitedMs(first, node)
      this.#figures.changes.note(Math.max(0, elapsedMs), isDisturbed)
    }
  }

  /** A version has just been published. */
  published(version: Version, nodes: readonly TortureNode[]): void {
    this.#publications.set(version, waitsOf(nodes))
  }

  /** A commit was read from the database at a time. */
  committed(revision: number, seenMs: number, nodes: readonly TortureNode[]): void {
    if (this.#commits.has(revision)) return
    this.#commits.set(revision, { seenMs, waits: waitsOf(nodes) })
  }

  /** The store in the ETag of the node's last page, which a failover changes. */
  storeOf(node: TortureNode): string | undefined {
    return this.#stores.get(node)
  }

  /**
   * The node served a page with this ETag, which names a store and a revision. All nodes and databases share the machine: the time for
   * which a node waited for a processor is not counted.
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
      const subjects = [node.name, 'database', RECONNECTING, STARVED]
      const isDisturbed = this.#outages.during(commit.seenMs - 1000, nowMs, subjects)
      const waitedMs = longestWaitMs(commit.waits.get(node) ?? new Map(), node.waits())
      this.#figures.commits.note(Math.max(0, nowMs - commit.seenMs - waitedMs), isDisturbed)
    }
  }

  /** How long the node that served a version, and the one that read it, waited for a processor. Any other node may have read it. */
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
