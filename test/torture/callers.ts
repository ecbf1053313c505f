import { setTimeout as sleep } from 'node:timers/promises'
import { STATES, STATUSES } from './feed-history.ts'
import { noteFault } from './figures.ts'
import { judge, type RequestedPage, type ServedPage } from './judge.ts'
import type { KeyTester } from './key-tester.ts'
import type { Answer, TortureNode } from './torture-node.ts'
import { anyReady, type TortureRun } from './torture-run.ts'

/** The mean pause between two requests of a caller, which leaves processor time to the nodes. */
const PAUSE_MS = 8

/** Requests pages of random nodes that are ready, with random keys that they must accept, and judges each, until the run ends. */
export async function call(run: TortureRun, keys: KeyTester): Promise<void> {
  while (!run.signal.aborted) {
    const node = anyReady(run.nodes)
    const key = keys.any()
    if (node === undefined || key === undefined) await sleep(20)
    else await callOnce(run, node, { request: anyPage(run), key, keys })
    await sleep(PAUSE_MS * Math.random() * 2)
  }
}

async function callOnce(
  { publisher, served, figures }: TortureRun,
  node: TortureNode,
  { request, key, keys }: { request: RequestedPage; key: string; keys: KeyTester },
): Promise<void> {
  const { life } = node
  const floor = served.floorOf(node)
  let answer: Answer
  try {
    answer = await node.ask(pathOf(request), { headers: { authorization: `Bearer ${key}` } })
  } catch (error) {
    if (life !== node.life) figures.cut++
    else {
      figures.failed++
      noteFault(figures, `${node.name} failed: ${error}`)
    }
    return
  }
  if (answer.status === 401 && !keys.isActive(key)) return
  if (answer.status === 401 && keys.mayBeUnknown(key)) {
    figures.keysLate++
    return
  }
  if (answer.status !== 200) {
    if (answer.status === 401) figures.keysLost++
    figures.failed++
    const about = answer.status === 401 ? keys.describe(key) : answer.body.slice(0, 200)
    noteFault(figures, `${node.name} (life ${life}) answered ${answer.status}: ${about}`)
    return
  }
  figures.pages++
  const page: ServedPage = JSON.parse(answer.body)
  const oldest = judge(publisher.histories, floor, { request, page })
  if (oldest === undefined) {
    figures.wrong++
    const versions = [...new Set(page.slots.map(({ bookingDeepLink }) => bookingDeepLink.split('/').at(-1)))]
    const what = `total ${page.total}, ${page.slots.length} slots of versions up to ${versions.sort((a, b) => Number(b) - Number(a))[0]}`
    noteFault(
      figures,
      `${node.name} (life ${life}) answered ${pathOf(request)} wrongly: ${what}; ETag ${answer.headers.etag}; versions must be at least ${JSON.stringify([...floor])}`,
    )
    return
  }
  // Also if it was killed in the meantime: it must not serve older versions after its restart.
  served.note(node, oldest)
  served.noteRevision(node, String(answer.headers.etag))
}

/** Often the first page of one publisher, whose first slot identifies the version; otherwise any page. */
function anyPage({ publisher: { histories } }: TortureRun): RequestedPage {
  const publisher = any(histories).slug
  if (Math.random() < 0.3) return { status: 'free', publisher, limit: 1 + integer(20), offset: 0 }
  return {
    status: Math.random() < 0.7 ? 'free' : any(STATUSES),
    limit: 1 + integer(100),
    offset: Math.random() < 0.5 ? integer(100) : integer(6000),
    ...(Math.random() < 0.4 && { publisher }),
    ...(Math.random() < 0.4 && { state: any(STATES) }),
  }
}

/** The path and query of a request. */
export function pathOf(request: RequestedPage): string {
  return `/v1/scheduling/slots?${new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)]))}`
}

function any<T>(values: readonly T[]): T {
  return values[integer(values.length)]
}

function integer(below: number): number {
  return Math.floor(Math.random() * below)
}
