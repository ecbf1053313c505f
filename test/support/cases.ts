/**
 * The number of cases of a property. `npm test` checks a part of them, `CASES_SHARE`; a full run and a file that runs without a runner
 * check all.
 */
export function casesOf(all: number): number {
  return Math.ceil(all * Number(process.env.CASES_SHARE ?? 1))
}
