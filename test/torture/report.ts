import type { Figures, Slowest } from './figures.ts'

/** The documented bound. */
const REVOCATION_MS_MAX = 1000

/** The documented bound with a fault, from when the database accepts changes again. */
const LATE_REVOCATION_MS_MAX = 5000

/** A change is served within a second of its commit, not counting waits for a processor. */
const COMMIT_MS_MAX = 1000

/** A poll of the scheduler, a sync and a second, on a machine that runs everything. */
const CHANGE_MS_MAX = 5000

/** Prints the figures as a Markdown table with their bounds. Returns those that are out of bounds. */
export function printReport(
  figures: Figures,
  run: {
    seconds: number
    starvedMs: number
    ends: number
    isEqual: boolean
    title: string
    disturbedChangeMsMax: number
  },
): readonly string[] {
  for (const fault of figures.faults) console.log(`FAULT: ${fault}`)
  const rows: [string, string, string, boolean][] = [
    count('pages judged', figures.pages, figures.pages > 0, 'more than 0'),
    none('wrong answers', figures.wrong),
    none('failed requests, except at a killed node', figures.failed),
    count('requests interrupted by the kill of a node', figures.cut, true, ''),
    count('nodes killed', figures.kills, true, ''),
    none('nodes that ended without being killed', run.ends),
    count('primaries killed, standbys promoted', figures.failovers, true, ''),
    none('promotions of a standby without a commit that had been read', figures.commitsLost),
    count('the same for an asynchronous standby, which may lack some', figures.losses, true, ''),
    ...slowest('commit until a node serves it, less its waits for a processor', figures.commits, COMMIT_MS_MAX),
    ...slowest(
      'published until a node serves it, less the waits of the nodes',
      figures.changes,
      CHANGE_MS_MAX,
      run.disturbedChangeMsMax,
    ),
    count('keys created', figures.keysCreated, figures.keysCreated > 0, 'more than 0'),
    count('keys revoked', figures.keysRevoked, figures.keysRevoked > 0, 'more than 0'),
    count('changes of keys refused, or interrupted', figures.keysRefused, true, ''),
    none('– with another status than 503', figures.keysFailed),
    ...slowest('key created until a node accepts it', figures.creations, REVOCATION_MS_MAX),
    ...slowest('key revoked until a node refuses it', figures.revocations, REVOCATION_MS_MAX),
    [
      '– from the end of the fault of the database',
      ms(figures.lateRevocations.disturbedMs),
      `at most ${ms(LATE_REVOCATION_MS_MAX)}`,
      figures.lateRevocations.disturbedMs <= LATE_REVOCATION_MS_MAX,
    ],
    none('keys lost', figures.keysLost),
    count(
      'requests refused because the database became unavailable before the node read the new key',
      figures.keysLate,
      true,
      '',
    ),
    none('revoked keys accepted', figures.keysRevived),
    ['time for which the machine was busy elsewhere', ms(run.starvedMs), '', true],
    ['nodes equal to each other and to the feeds', run.isEqual ? 'yes' : 'no', 'yes', run.isEqual],
  ]
  console.log(`\nTorture, ${new Date().toISOString().slice(0, 10)}, ${Math.round(run.seconds)} s, ${run.title}\n`)
  console.log('| what | figure | bound | held |\n|---|---|---|---|')
  for (const [what, figure, bound, held] of rows)
    console.log(`| ${what} | ${figure} | ${bound} | ${held ? 'yes' : '**no**'} |`)
  const broken = rows
    .filter(([, , , held]) => !held)
    .map(([what, figure, bound]) => `${what}: ${figure}, bound ${bound}`)
  return [...broken, ...(broken.length === 0 ? [] : figures.faults)]
}

function count(what: string, figure: number, held: boolean, bound: string): [string, string, string, boolean] {
  return [what, figure.toLocaleString('en-US'), bound, held]
}

function none(what: string, figure: number): [string, string, string, boolean] {
  return count(what, figure, figure === 0, '0')
}

function slowest(
  what: string,
  { undisturbedMs, undisturbedAt, disturbedMs, count }: Slowest,
  maxMs: number,
  disturbedMsMax = Number.POSITIVE_INFINITY,
): [string, string, string, boolean][] {
  return [
    [
      `slowest of ${count.toLocaleString('en-US')}: ${what}`,
      undisturbedMs <= maxMs ? ms(undisturbedMs) : `${ms(undisturbedMs)} at ${undisturbedAt}`,
      `at most ${ms(maxMs)}`,
      count > 0 && undisturbedMs <= maxMs,
    ],
    [
      '– with a fault during it, or while the machine was busy',
      ms(disturbedMs),
      disturbedMsMax === Number.POSITIVE_INFINITY ? '' : `at most ${ms(disturbedMsMax)}`,
      disturbedMs <= disturbedMsMax,
    ],
  ]
}

function ms(figure: number): string {
  return `${Math.round(figure).toLocaleString('en-US')} ms`
}
