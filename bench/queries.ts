/** The `total` that the service returns for a query string. */
export type CountMatches = (search: string) => Promise<number>

const STATES =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ TN MA IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME MT RI DE SD ND AK VT WY'.split(
    ' ',
  )

/** The requests of one measurement: one path repeatedly, or many in turn. */
export interface Question {
  readonly name: string
  /** The goal: the minimum ratio to the bare server. */
  readonly goal: number
  readonly searches: readonly string[]
}

/** More slots have lower goals. */
const SLOTS_LARGE = 2_000_000

/** The queries with goals. */
export async function questions(count: CountMatches): Promise<Question[]> {
  const all = await count('')
  const ofState = await count('state=CA')
  const [goal, goalOfMany] = all > SLOTS_LARGE ? [0.85, 0.55] : [0.9, 0.6]
  return [
    { name: 'first page, no filter', goal, searches: [''] },
    { name: 'state=CA', goal, searches: ['state=CA'] },
    { name: 'state and isVirtual', goal, searches: ['state=CA&isVirtual=true'] },
    { name: 'offset at nine tenths', goal, searches: [`offset=${Math.floor(all * 0.9)}`] },
    { name: 'last page of a state', goal, searches: [`state=CA&offset=${Math.max(0, ofState - 25)}`] },
    { name: 'random mix of 1,000', goal, searches: await randomMix(1000, count) },
    { name: 'random mix of 100,000', goal: goalOfMany, searches: await randomMix(100_000, count) },
  ]
}

/** Different queries: four in five by state, skewed like the slots; half by service mode; offsets over the whole range. */
export async function randomMix(length: number, count: CountMatches, seed = 1): Promise<string[]> {
  const random = generator(seed)
  const totals = new Map<string, number>()
  for (const state of ['', ...STATES]) {
    for (const virtual of ['', 'true', 'false']) {
      const search = [state && `state=${state}`, virtual && `isVirtual=${virtual}`].filter(Boolean).join('&')
      totals.set(`${state}/${virtual}`, await count(search))
    }
  }
  const all = STATES.reduce((sum, state) => sum + (totals.get(`${state}/`) ?? 0), 0)
  const pickState = () => {
    let rest = random() * all
    for (const state of STATES) {
      rest -= totals.get(`${state}/`) ?? 0
      if (rest < 0) return state
    }
    return STATES[0]
  }
  return Array.from({ length }, () => {
    const state = random() < 0.8 ? pickState() : ''
    const virtual = random() < 0.5 ? '' : random() < 0.3 ? 'true' : 'false'
    const offset = Math.floor(random() * (totals.get(`${state}/${virtual}`) ?? 0))
    return [state && `state=${state}`, virtual && `isVirtual=${virtual}`, `offset=${offset}`].filter(Boolean).join('&')
  })
}

/** Numbers in [0, 1), deterministic for a seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
