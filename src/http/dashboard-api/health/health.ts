import { stat } from 'node:fs/promises'
import type { HealthView } from '../../../shared/shapes.ts'
import type { NodeHealth } from '../../node-query.ts'
import type { AccountContext } from '../context.ts'
import type { Visit } from '../visit.ts'

/** What the thread that answers `/v1` says of itself, and what is known here. */
export async function showHealth({ account }: Visit): Promise<HealthView> {
  const [node, store] = await Promise.all([askNode(account), storeHealth(account)])
  return { ...node, version: account.version, store, mail: account.mailInvitation !== undefined }
}

async function askNode({ ask }: AccountContext): Promise<NodeHealth> {
  const { status, body } = await ask({ about: 'health' })
  if (status !== 200) throw new Error(`Cannot show health: the answer must be 200: got "${status}"`)
  return JSON.parse(Buffer.from(body).toString())
}

async function storeHealth({ store, databaseUrl }: AccountContext): Promise<HealthView['store']> {
  const ok = await store.revisionFeed.revisions().then(
    () => true,
    () => false,
  )
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1]
  if (path === undefined) return { kind: 'postgres', ok }
  // What was written last stands in a file beside it, until SQLite moves it over.
  const sizes = await Promise.all([path, `${path}-wal`].map(bytesOf))
  return { kind: 'sqlite', bytes: sizes[0] + sizes[1], ok }
}

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
