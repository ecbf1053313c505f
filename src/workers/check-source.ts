import { buffer } from 'node:stream/consumers'
import { FeedFailure } from '../feeds/connector.ts'
import { type ClientOptions, PublisherClient } from '../feeds/http/publisher-client.ts'
import { type Manifest, parseManifest } from '../feeds/smart-links/manifest.ts'
import type { SourceCheck } from '../shared/contract/sources.ts'

/** Reads the manifest at a URL and reports its files, or the reason why it cannot be read. */
type CheckSource = (url: string) => Promise<SourceCheck>

/** The number of files in a report. */
export const MANIFEST_FILES_SHOWN_MAX = 500

/** Reads only the manifest, leniently, and within the time of an interactive request. */
export function sourceChecker(options: ClientOptions): CheckSource {
  return async (url) => {
    const signal = AbortSignal.timeout(CHECK_MS_MAX)
    try {
      const { text, base } = await readManifest(new URL(url), { ...LIMITS, ...options }, signal)
      const manifest = parseManifest(text, base, false)
      return { ok: true, message: describe(manifest), files: filesOf(manifest, statesByUrl(text, base)) }
    } catch (error) {
      if (signal.aborted) return failed(`Cannot read ${url}: no complete response within ${CHECK_MS_MAX / 1000} s`)
      if (error instanceof FeedFailure) return failed(error.message)
      throw error
    }
  }
}

/** Less than `responseMs` of the dashboard proxy. */
const CHECK_MS_MAX = 20_000

const LIMITS = { limits: { connectMs: 5000, idleMs: 10_000, wholeMs: CHECK_MS_MAX } }

const MANIFEST_BYTES_MAX = 2 ** 24

async function readManifest(
  url: URL,
  options: ClientOptions,
  signal: AbortSignal,
): Promise<{ text: string; base: URL }> {
  const client = new PublisherClient(url, options, signal)
  try {
    const response = await client.get(url, { accept: 'application/json', bodyBytesMax: MANIFEST_BYTES_MAX })
    return { text: (await buffer(response.body)).toString(), base: response.url }
  } finally {
    client.close()
  }
}

function failed(message: string): SourceCheck {
  return { ok: false, message: `${message}.`, files: [] }
}

function describe({ files, publishedAtMs }: Manifest): string {
  const published = publishedAtMs === undefined ? '' : `, published ${new Date(publishedAtMs).toISOString()}`
  const counts = new Map<string, number>()
  for (const type of files.flatMap(({ types }) => types)) counts.set(type, (counts.get(type) ?? 0) + 1)
  const listed = [...counts].map(([type, count]) => `${count} ${type}`).join(', ')
  if (!counts.has('Slot')) return `The manifest lists no Slot file${listed && `, only ${listed}`}${published}.`
  return `The manifest lists ${files.length} files${published}: ${listed}.`
}

function filesOf({ files }: Manifest, states: ReadonlyMap<string, readonly string[]>): SourceCheck['files'] {
  const listed = files.flatMap(({ url, types }) => types.map((type) => ({ type, url })))
  return listed.slice(0, MANIFEST_FILES_SHOWN_MAX).map((file) => ({ ...file, states: states.get(file.url) ?? [] }))
}

/** The `state` extensions, which syncs ignore: an array of strings, or in some feeds a single string. */
function statesByUrl(text: string, base: URL): Map<string, readonly string[]> {
  const states = new Map<string, readonly string[]>()
  const { output } = JSON.parse(text.replace(/^\ufeff/, ''))
  for (const entry of output) {
    const hints = [entry?.extension?.state ?? []].flat().filter((state) => typeof state === 'string')
    const url = typeof entry?.url === 'string' ? URL.parse(entry.url, base) : null
    if (url === null) continue
    url.hash = ''
    states.set(
      url.href,
      hints.slice(0, STATES_MAX).map((state) => state.slice(0, 50)),
    )
  }
  return states
}

/** More than the states and territories of the United States. */
const STATES_MAX = 60
