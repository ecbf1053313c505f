import { setTimeout as sleep } from 'node:timers/promises'
import { STATES, STATUSES } from './feed-history.ts'
import { noteFault } from './figures.ts'
import { type Asked, type Came, judge } from './judge.ts'
import type { KeyKeeper } from './key-keeper.ts'
import { anyReady, type Scene } from './scene.ts'
import type { Answer, TortureNode } from './torture-node.ts'

/** Callers leave the machine time for what they call. */
const PAUSE_MS = 8

/** Asks one page after the other of any node that is ready, with any live key, and judges each, until it is over. */
export async function call(scene: Scene, keys: KeyKeeper): Promise<void> {
  while (!scene.signal.aborted) {
    const node = anyReady(scene.nodes)
    const key = keys.any()
    if (node === undefined || key === undefined) await sleep(20)
    else await callOnce(scene, node, { asked: anyPage(scene), key, keys })
    await sleep(PAUSE_MS * Math.random() * 2)
  }
}

async function callOnce(
  { publisher, shown, figures }: Scene,
  node: TortureNode,
  { asked, key, keys }: { asked: Asked; key: string; keys: KeyKeeper },
): Promise<void> {
  const { life } = node
  const floor = shown.floorOf(node)
  let answer: Answer
  try {
    answer = await node.ask(pathOf(asked), { headers: { authorization: `Bearer ${key}` } })
  } catch (fault) {
    if (life !== node.life) figures.cut++
    else {
      figures.failed++
      noteFault(figures, `${node.name} failed: ${fault}`)
    }
    return
  }
  if (answer.status === 401 && !keys.isLive(key)) return
  if (answer.status === 401 && keys.wasCutOff(key)) {
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
  const came: Came = JSON.parse(answer.body)
  const oldest = judge(publisher.histories, floor, { asked, came })
  if (oldest === undefined) {
    figures.wrong++
    const versions = [...new Set(came.slots.map(({ bookingDeepLink }) => bookingDeepLink.split('/').at(-1)))]
    const what = `total ${came.total}, ${came.slots.length} slots of versions up to ${versions.sort((a, b) => Number(b) - Number(a))[0]}`
    noteFault(
      figures,
      `${node.name} (life ${life}) answered ${pathOf(asked)} wrongly: ${what}; ETag ${answer.headers.etag}; at least ${JSON.stringify([...floor])} was due`,
    )
    return
  }
  // Its life may have ended meanwhile: then what it showed binds the next one too.
  shown.note(node, oldest)
  shown.noteRevision(node, String(answer.headers.etag))
}

/** Often the first page of one publisher, which tells its version; otherwise anything. */
function anyPage({ publisher: { histories } }: Scene): Asked {
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

/** The path that asks for it. */
export function pathOf(asked: Asked): string {
  return `/v1/scheduling/slots?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`
}

function any<T>(values: readonly T[]): T {
  return values[integer(values.length)]
}

function integer(below: number): number {
  return Math.floor(Math.random() * below)
}
