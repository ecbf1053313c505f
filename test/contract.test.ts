import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { Caller } from './contract/caller.ts'
import { type ContractService, startContractService } from './contract/contract-service.ts'
import { checkMalformedRequests } from './contract/malformed-requests.ts'
import { SameCounts } from './contract/same-counts.ts'
import { SubscriptionBodies } from './contract/subscription-bodies.ts'

/** `CONTRACT_REQUESTS=100000` sends more. The variety of requests is only checked above a minimum. */
const REQUESTS = Number(process.env.CONTRACT_REQUESTS ?? 10_000)
const VARIED_FROM = 5000
/** `CONTRACT_SEED` and `CONTRACT_PATH` replay a failure; the failure prints them. */
const SEED = Number(process.env.CONTRACT_SEED ?? Date.now() % 2 ** 31)
const PATH = process.env.CONTRACT_PATH
/** Number of concurrent callers, each with a separate key. */
const CALLERS = PATH === undefined ? 4 : 1
const REPLAY = PATH === undefined ? {} : { path: PATH }

test('the service and its published OpenAPI document', async (t) => {
  const service = await startContractService(t, CALLERS)
  await t.test('every response matches the document', (t) => askAnything(t, service))
  await t.test('equal counts agree across operations', async () => {
    const counts = new SameCounts(service)
    const property = fc.asyncProperty(counts.filters, (filters) => counts.check(filters))
    await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 40), seed: SEED })
  })
  await t.test('bodies of subscriptions are accepted as the document says', async () => {
    const bodies = new SubscriptionBodies(service)
    const [key] = service.keys
    const options = { numRuns: Math.ceil(REQUESTS / 40), seed: SEED }
    await fc.assert(
      fc.asyncProperty(bodies.newOnes, (body) => bodies.checkNew(body, key)),
      options,
    )
    await fc.assert(
      fc.asyncProperty(bodies.changes, (body) => bodies.checkChange(body, key)),
      options,
    )
    if (REQUESTS >= VARIED_FROM) bodies.requireVariety()
  })
  await t.test('invalid requests get the documented errors', () => checkMalformedRequests(service))
})

async function askAnything(t: TestContext, service: ContractService): Promise<void> {
  const caller = new Caller(service)
  const asking = service.keys.map((key, n) => {
    const property = fc.asyncProperty(caller.requests, (request) => caller.check(request, key))
    return fc.assert(property, { numRuns: Math.ceil(REQUESTS / CALLERS), seed: SEED + n, ...REPLAY })
  })
  // Reports a failure after all callers end, so that none calls a stopped service.
  const ended = await Promise.allSettled(asking)
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  if (REQUESTS >= VARIED_FROM && PATH === undefined) caller.requireVariety(t, REQUESTS)
}
