import type { Figures, Slowest } from './figures.ts'

/** The promise of the service. */
const REVOCATION_MS_MAX = 1000

/** The promise with a fault, from when the database takes changes again. */
const LATE_REVOCATION_MS_MAX = 5000

/** A change shows within a second of its commit, if there is a processor for the node. */
const COMMIT_MS_MAX = 1000

/** A look of the scheduler, a sync, and a second, on a machine that does all of this at once. */
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
    troubledChangeMsMax: number
  },
): readonly string[] {
  for (const fault of figures.faults) console.log(`FAULT: ${fault}`)
  const rows: [string, string, string, boolean][] = [
    count('pages judged', figures.pages, figures.pages > 0, 'more than 0'),
    none('wrong answers', figures.wrong),
    none('failed requests, but for those open at a killed node', figures.failed),
    count('requests open at a node when it was killed', figures.cut, true, ''),
    count('nodes killed', figures.kills, true, ''),
    none('nodes that ended by themselves', run.ends),
    count('primaries killed, standbys promoted', figures.failovers, true, ''),
    none('times that a promoted standby lacked what had been seen', figures.commitsLost),
    count('times that an asynchronous one did, as it may', figures.losses, true, ''),
    ...slowest('commit until a node shows it, less its waits for a processor', figures.commits, COMMIT_MS_MAX),
    ...slowest(
      'published until a node shows it, less the waits of the nodes',
      figures.changes,
      CHANGE_MS_MAX,
      run.troubledChangeMsMax,
    ),
    count('keys created', figures.keysCreated, figures.keysCreated > 0, 'more than 0'),
    count('keys revoked', figures.keysRevoked, figures.keysRevoked > 0, 'more than 0'),
    count('changes of keys refused or cut', figures.keysRefused, true, ''),
    none('– with another status than 503', figures.keysFailed),
    ...slowest('key created until a node lets it in', figures.creations, REVOCATION_MS_MAX),
    ...slowest('key revoked until a node refuses it', figures.revocations, REVOCATION_MS_MAX),
    [
      '– from the end of the fault of the database',
      ms(figures.lateRevocations.troubledMs),
      `at most ${ms(LATE_REVOCATION_MS_MAX)}`,
      figures.lateRevocations.troubledMs <= LATE_REVOCATION_MS_MAX,
    ],
    none('keys lost', figures.keysLost),
    count(
      'requests refused for a key that only one node had heard of when the database went away',
      figures.keysLate,
      true,
      '',
    ),
    none('revoked keys let in', figures.keysRevived),
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
  { calmMs, calmAt, troubledMs }: Slowest,
  maxMs: number,
  troubledMsMax = Number.POSITIVE_INFINITY,
): [string, string, string, boolean][] {
  return [
    [
      `slowest: ${what}`,
      calmMs <= maxMs ? ms(calmMs) : `${ms(calmMs)} at ${calmAt}`,
      `at most ${ms(maxMs)}`,
      calmMs <= maxMs,
    ],
    [
      '– where a fault fell into it, or the machine was busy',
      ms(troubledMs),
      troubledMsMax === Number.POSITIVE_INFINITY ? '' : `at most ${ms(troubledMsMax)}`,
      troubledMs <= troubledMsMax,
    ],
  ]
}

function ms(figure: number): string {
  return `${Math.round(figure).toLocaleString('en-US')} ms`
}
