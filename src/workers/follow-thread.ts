import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { SourceFollower } from '../sync/follow-sources.ts'
import { POLL_MS, StoreFollower } from '../sync/follow-store.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import { BatchPool } from '../sync/index-messages.ts'
import type { FollowOptions, FollowParent } from './follow-worker.ts'
import type { ThreadOperations } from './supervised-worker.ts'
import { openThread, threadOptions } from './thread-entry.ts'

// Thread entry: tails the store's change log for this node. Started by FollowWorker.

/** Messages in flight: enough that neither side waits, few enough that memory stays small. */
const IN_FLIGHT_MAX = 8

const { databaseUrl, databaseDirectUrl: directUrl, from } = threadOptions<FollowOptions>()
const { parent, stopping, onEvent, close } = openThread<FollowParent, ThreadOperations>({})
const memory = new BatchPool()
/** As of the last message that was applied. */
let isFull = false
const waiting = { onEvent, signal: stopping }
const store = await retryUntilAvailable(() => openStore(databaseUrl, { directUrl }), waiting)
if (store !== undefined) {
  const follower = new StoreFollower(store, { send, memory, from, isFull: () => isFull })
  const sources = new SourceFollower(
    store,
    (changes) => send({ kind: 'sources', ...changes }),
    () => performance.now(),
  )
  let isLoaded = false
  // Not a `Periodic`: the store ends the pause when it has changed.
  for (let polls = 0; !stopping.aborted; polls++) {
    if (isLoaded) await retryUntilAvailable(() => follower.pollKeys(), waiting)
    else {
      await retryUntilAvailable(() => sources.poll(), waiting)
      isLoaded = (await retryUntilAvailable(() => follower.poll(), waiting)) === true
      if (isLoaded) parent.post('loaded', follower.revisions)
      else if (polls === 0) parent.post('following', undefined)
    }
    await store.revisionFeed.wait(POLL_MS, stopping)
  }
  await store.close()
}
close()

async function send(message: IndexMessage, transfer: readonly ArrayBuffer[] = []): Promise<void> {
  // A key must not wait behind a million slots. Neither may sources, because keys would wait behind them.
  if (message.kind !== 'keys' && message.kind !== 'sources') await parent.whenBelow(IN_FLIGHT_MAX, stopping)
  const applied = parent.request('apply', message, { transfer }).then(
    (reply) => {
      isFull = reply.isFull
      if (reply.memory !== undefined) memory.giveBack(reply.memory)
    },
    // The parent ends this thread if a message cannot be applied.
    () => undefined,
  )
  // The reply to the first message of a change says whether there is room for it.
  if (message.kind === 'begin') await applied
}
