import { loadavg } from 'node:os'

/** One row of the results. */
interface Row {
  readonly what: string
  readonly figure: string
  readonly goal: string
  /** Absent without a goal. */
  readonly reached?: boolean
}

/** Collects measurements and goals, and prints them as a Markdown table. */
export class Report {
  readonly #title: string
  readonly #rows: Row[] = []

  constructor(title: string) {
    this.#title = title
  }

  atLeast(what: string, figure: number, goal: number, note = ''): void {
    this.#add({
      what,
      figure: `${round(figure)}${note}`,
      goal: `at least ${round(goal)}`,
      reached: figure >= goal,
    })
  }

  atMost(what: string, figure: number, goal: number, note = ''): void {
    this.#add({
      what,
      figure: `${round(figure)}${note}`,
      goal: `at most ${round(goal)}`,
      reached: figure <= goal,
    })
  }

  /** A measurement without a goal. */
  known(what: string, figure: number, note = ''): void {
    this.#add({ what, figure: `${round(figure)}${note}`, goal: '' })
  }

  print(): void {
    const load = loadavg()[1].toFixed(1)
    console.log(`\n${this.#title}, load average ${load}, ${new Date().toISOString().slice(0, 10)}\n`)
    console.log('| measurement | value | goal | reached |\n|---|---|---|---|')
    for (const { what, figure, goal, reached } of this.#rows) {
      console.log(`| ${what} | ${figure} | ${goal} | ${reached === undefined ? '' : reached ? 'yes' : '**no**'} |`)
    }
  }

  #add(row: Row): void {
    this.#rows.push(row)
    console.log(`${row.what}: ${row.figure}${row.goal && ` (${row.goal})`}`)
  }
}

/** Three significant digits. */
function round(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-US') : String(Number(figure.toPrecision(3)))
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
