import { setTimeout as pause } from 'node:timers/promises'
import { processorMs, slotsCommand } from './processes.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving, storeOf } from './serving.ts'

const CHANGES = 100

/** Bytes, and milliseconds of the reader and of the service's processor. */
interface Cost {
  readonly bytes: number
  readonly ms: number
  readonly cpuMs: number
}

/** An update of 100 slots of the published feed relative to reading it as a whole: for the service, and for an instance that follows. */
export async function measureFeedUpdates(bench: Bench, largeUrl: string): Promise<void> {
  const service = await serving(bench, 'large', { OPEN_FEED: 'true' })
  try {
    const store = await storeOf(bench, 'large')
    const follower = await storeOf(bench, 'follower')
    const publish = async () => {
      const share = CHANGES / bench.slots
      await fetch(new URL(`/__change?share=${share}`, largeUrl), { method: 'POST' })
      await slotsCommand(store, 'sync', 'bench')
    }
    const openUrl = `http://127.0.0.1:${service.port}/fhir/$bulk-publish`
    await slotsCommand(follower, 'source', 'add', 'directory', openUrl, '--every', '1')
    const follow = async () => (await slotsCommand(follower, 'sync', 'directory')) as FollowerSync
    // Its pages are few: their files are those of all states.
    const root = (await pagesFrom(openUrl)).slice(0, -1)
    const whole = await costOf(service, () => readPages(service, root))
    const followedWhole = await follow()
    const updates: Cost[] = []
    const followed: FollowerSync[] = []
    let page = root.at(-1)?.next ?? ''
    for (let round = 0; round < bench.rounds; round++) {
      await publish()
      await untilUpdated(page)
      let pages: readonly Page[] = []
      const read = async () => {
        pages = await pagesFrom(page)
        return readPages(service, pages)
      }
      updates.push(await costOf(service, read))
      page = pages.at(-1)?.url ?? ''
      followed.push(await follow())
    }
    const relative = (of: keyof Cost) => median(updates.map((each) => each[of])) / whole[of]
    const note = (of: keyof Cost) =>
      ` (${Math.round(median(updates.map((each) => each[of])))} of ${Math.round(whole[of])})`
    bench.report.atMost('update of 100 slots, bytes relative to the feed', relative('bytes'), 0.02, note('bytes'))
    bench.report.known('update of 100 slots, time relative to the feed', relative('ms'), note('ms'))
    bench.report.known("update of 100 slots, service's CPU relative to the feed", relative('cpuMs'), note('cpuMs'))
    const followedMs = median(followed.map(({ durationMs }) => durationMs))
    const slots = followed.map(({ added, changed, removed }) => added + changed + removed).join(', ')
    bench.report.atMost(
      'sync of a follower, time of an update relative to the first',
      followedMs / followedWhole.durationMs,
      0.2,
      ` (${followedMs} of ${followedWhole.durationMs} ms; changes: ${slots})`,
    )
  } finally {
    await service.stop()
  }
}

interface FollowerSync {
  readonly durationMs: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}

interface Page {
  readonly url: string
  readonly next: string
  readonly bytes: number
  readonly files: readonly string[]
}

async function costOf(service: Serving, read: () => Promise<number>): Promise<Cost> {
  const [startedMs, cpuMs] = [performance.now(), await processorMs(service)]
  const bytes = await read()
  return { bytes, ms: performance.now() - startedMs, cpuMs: (await processorMs(service)) - cpuMs }
}

/** The pages from one to the last that exists. */
async function pagesFrom(start: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let url = start; !url.startsWith('#'); ) {
    const text = await (await fetch(url)).text()
    const { output, deleted = [], link } = JSON.parse(text)
    const files = [...output, ...deleted].map((file: { url: string }) => file.url)
    const [{ url: next }] = link
    pages.push({ url, next, bytes: text.length, files })
    url = next
  }
  return pages
}

/** The bytes of pages and their files, which are read with the key: the open feed is throttled. */
async function readPages({ key }: Serving, pages: readonly Page[]): Promise<number> {
  let bytes = 0
  for (const page of pages) {
    bytes += page.bytes
    for (const url of page.files) {
      const response = await fetch(url.replace('/fhir/', '/v1/fhir/'), {
        headers: { 'x-api-key': key, 'accept-encoding': 'identity' },
      })
      if (response.status !== 200) throw new Error(`Cannot measure: ${url} returned status ${response.status}`)
      bytes += (await response.arrayBuffer()).byteLength
    }
  }
  return bytes
}

/** Waits until the page links to an update: the service publishes them every half minute at most. */
async function untilUpdated(url: string): Promise<void> {
  for (;;) {
    const { link } = (await (await fetch(url)).json()) as { link: [{ url: string }] }
    if (link[0].url !== '#pending') return
    await pause(1000)
  }
}
