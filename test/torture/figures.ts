/** What is counted while it lasts. */
export interface Figures {
  /** Pages that were answered with 200 and judged. */
  pages: number
  /** Those that are the answer of no version of the publishers' past, or of one older than a node has shown. */
  wrong: number
  /** Requests on `/v1` that got no answer, or one other than 200, from a node that was neither killed nor about to be ready. */
  failed: number
  /** Requests whose node was killed before it answered. */
  cut: number
  keysCreated: number
  keysRevoked: number
  /** Changes of keys that were confirmed. */
  keyChanges: number
  /** Changes of keys that were refused, or whose outcome nobody knows, because the database was away or the node was killed. */
  keysRefused: number
  /** Those of them that were answered with a status that says nothing of that. */
  keysFailed: number
  /** A key that was acknowledged and is refused. */
  keysLost: number
  /** Requests with a key that was created a moment before the database went away, and refused until it was back. */
  keysLate: number
  /** A key whose revocation was acknowledged and that is let in again. */
  keysRevived: number
  /** How often a standby that took over lacked what had been seen. */
  commitsLost: number
  /** How often an asynchronous standby that took over lacked a confirmed change. */
  losses: number
  kills: number
  failovers: number
  /** From the publication of a version until a node showed it, sync included. */
  readonly changes: Slowest
  /** From a commit in the database until a node showed it. */
  readonly commits: Slowest
  /** From the answer that a key was created until a node let it in. */
  readonly creations: Slowest
  /** From the answer that a key was revoked until a node refused it. */
  readonly revocations: Slowest
  /** The same for those that a fault of the database fell into, from its end. */
  readonly lateRevocations: Slowest
  /** The first of what went wrong, in words. */
  readonly faults: string[]
}

/** How slow the slowest was: of those that no fault fell into, and of those that did. */
export class Slowest {
  calmMs = 0
  /** When that was noted. */
  calmAt = ''
  troubledMs = 0
  count = 0

  note(ms: number, isTroubled: boolean): void {
    this.count++
    if (isTroubled) this.troubledMs = Math.max(this.troubledMs, ms)
    else if (ms > this.calmMs) {
      this.calmMs = ms
      this.calmAt = secondsSinceStart()
    }
  }
}

export function newFigures(): Figures {
  return {
    pages: 0,
    wrong: 0,
    failed: 0,
    cut: 0,
    keysCreated: 0,
    keysRevoked: 0,
    keyChanges: 0,
    keysRefused: 0,
    keysFailed: 0,
    keysLost: 0,
    keysLate: 0,
    keysRevived: 0,
    commitsLost: 0,
    losses: 0,
    kills: 0,
    failovers: 0,
    changes: new Slowest(),
    commits: new Slowest(),
    creations: new Slowest(),
    revocations: new Slowest(),
    lateRevocations: new Slowest(),
    faults: [],
  }
}

/** Of each kind, so that a frequent one does not hide others. */
const FAULTS_KEPT = 10

/** Keeps what went wrong for the end. Faults are of one kind if they begin with the same words. */
export function noteFault(figures: Figures, fault: string): void {
  const kind = fault.split(' ').slice(0, 5).join(' ')
  const alike = figures.faults.filter((known) => known.includes(kind))
  if (alike.length < FAULTS_KEPT) figures.faults.push(`${secondsSinceStart()}: ${fault}`)
}

/** Of this process, for whoever puts the story together. */
export function secondsSinceStart(): string {
  return `${(performance.now() / 1000).toFixed(1)} s`
}
