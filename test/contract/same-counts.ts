import assert from 'node:assert/strict'
import type fc from 'fast-check'
import { parseCsv } from '../support/http/parse-csv.ts'
import type { ContractService } from './contract-service.ts'
import { occurringValues } from './occurring-values.ts'
import { plainMatches } from './plain-matches.ts'
import { type Pair, validPairs } from './requests.ts'
import { writePairs } from './write-request.ts'

const SLOTS = '/v1/scheduling/slots'
const FACETS = '/v1/scheduling/facets'
const ACTORS = '/v1/scheduling/actors'

interface SlotPage {
  readonly slots: readonly { readonly id: string }[]
  readonly total: number
}

/** Compares lists, exports, facets and actors: they must have the same slots, exactly the matching ones. */
export class SameCounts {
  /** Combinations of the filters that all three operations have. */
  readonly filters: fc.Arbitrary<readonly Pair[]>
  readonly #service: ContractService

  constructor(service: ContractService) {
    const tables = [SLOTS, FACETS, ACTORS].map((path) => service.document.operation(path).parameters)
    const shared = tables[0].filter(({ name }) => tables.every((table) => table.some((one) => one.name === name)))
    this.filters = validPairs(shared, occurringValues(service)).map((pairs) =>
      pairs
        .filter(({ name }) => name !== 'radiusKm' || pairs.some((pair) => pair.name === 'near'))
        // A longer text may be unknown as a state.
        .filter(({ name, value }) => name !== 'state' || value.length === 2),
    )
    this.#service = service
  }

  async check(pairs: readonly Pair[]): Promise<void> {
    const filters = writePairs(pairs)
    const lines = (await this.#get(`${SLOTS}?${filters}`, 'application/x-ndjson')).text.split('\n').slice(0, -1)
    const ids = lines.map((line) => JSON.parse(line).id)
    assert.deepEqual(ids.toSorted(), plainMatches(this.#service.slots, pairs, Date.now()).sort())
    const table = await this.#get(`${SLOTS}?${filters}`, 'text/csv')
    assert.deepEqual(
      parseCsv(table.text).map(({ id }) => id),
      ids,
    )
    for (const paging of ['limit=30', 'limit=30&cursor='])
      assert.deepEqual(await this.#walk(`${SLOTS}?${filters}&${paging}`, ids.length), ids)
    const facets = JSON.parse((await this.#get(`${FACETS}?${filters}`)).text)
    assert.equal(facets.total, ids.length)
    const ofActors = JSON.parse((await this.#get(`${ACTORS}?${filters}&limit=100`)).text)
    assert.equal(ofActors.actors.length, ofActors.total)
    const sum = ofActors.actors.reduce((all: number, { totalSlots }: { totalSlots: number }) => all + totalSlots, 0)
    assert.equal(sum, ids.length)
  }

  /** The IDs on all pages, by the links from each to the next. */
  async #walk(first: string, total: number): Promise<string[]> {
    const ids: string[] = []
    for (let target: string | undefined = first; target !== undefined; ) {
      const answer = await this.#get(target)
      const page: SlotPage = JSON.parse(answer.text)
      assert.equal(page.total, total)
      ids.push(...page.slots.map(({ id }) => id))
      assert.ok(ids.length <= total, 'pages must come to an end')
      target = /<https?:\/\/[^/>]+([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
    }
    return ids
  }

  async #get(target: string, accept = 'application/json') {
    const headers = { accept, 'x-api-key': this.#service.keys[0] }
    const answer = await this.#service.client.ask({ method: 'GET', target, headers })
    assert.equal(answer.status, 200, `${target}: ${answer.text}`)
    return answer
  }
}
