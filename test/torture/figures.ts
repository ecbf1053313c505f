/** The counts and times of a run. */
export interface Figures {
  /** Pages with status 200, each of which was judged. */
  pages: number
  /** Pages that match no versions of the feeds, or only versions older than the node had served before. */
  wrong: number
  /** Requests to `/v1` that a ready node did not answer with 200 although it was not killed. */
  failed: number
  /** Requests whose node was killed before it answered. */
  cut: number
  keysCreated: number
  keysRevoked: number
  /** Changes of keys that were confirmed. */
  keyChanges: number
  /** Changes of keys that were refused, or whose outcome is unknown, because of a fault. */
  keysRefused: number
  /** Those with another status than 503. */
  keysFailed: number
  /** Keys whose creation was confirmed and that are refused. */
  keysLost: number
  /** Refused requests with a key that was created a moment before the database became unavailable, until it was available again. */
  keysLate: number
  /** Keys whose revocation was confirmed and that are accepted. */
  keysRevived: number
  /** Promotions of a standby without a commit that had been read. */
  commitsLost: number
  /** Promotions of an asynchronous standby without a confirmed change, which are allowed. */
  losses: number
  kills: number
  failovers: number
  /** From the publication of a version until a node served it. */
  readonly changes: Slowest
  /** From a commit in the database until a node served it. */
  readonly commits: Slowest
  /** From the confirmed creation of a key until a node accepted it. */
  readonly creations: Slowest
  /** From the confirmed revocation of a key until a node refused it. */
  readonly revocations: Slowest
  /** The same, counted from the end of a fault of the database during it. */
  readonly lateRevocations: Slowest
  /** Descriptions of the first violations of each kind. */
  readonly faults: string[]
}

/** The longest times: without and with a fault during them. */
export class Slowest {
  undisturbedMs = 0
  /** When `undisturbedMs` was measured. */
  undisturbedAt = ''
  disturbedMs = 0
  count = 0

  note(ms: number, isDisturbed: boolean): void {
    this.count++
    if (isDisturbed) this.disturbedMs = Math.max(this.disturbedMs, ms)
    else if (ms > this.undisturbedMs) {
      this.undisturbedMs = ms
      this.undisturbedAt = secondsSinceStart()
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

/** Per kind, so that a frequent one does not hide others. */
const FAULTS_KEPT = 10

/** Notes a violation for the report. Two are of one kind if they begin with the same words. */
export function noteFault(figures: Figures, fault: string): void {
  const kind = fault.split(' ').slice(0, 5).join(' ')
  const alike = figures.faults.filter((known) => known.includes(kind))
  if (alike.length < FAULTS_KEPT) figures.faults.push(`${secondsSinceStart()}: ${fault}`)
}

/** Seconds since this process started, to relate the lines of the output. */
export function secondsSinceStart(): string {
  return `${(performance.now() / 1000).toFixed(1)} s`
}
