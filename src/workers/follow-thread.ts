import { IndexBuilder } from '../slot-index/index-builder.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { incompleteLog, logCompletion, reapplyRevocations } from '../store/revocations/reapply-revocations.ts'
import { RevocationLog } from '../store/revocations/revocation-log.ts'
import { SourceFollower } from '../sync/follow-sources.ts'
import { POLL_MS, StoreFollower, UNCHANGED_MS } from '../sync/follow-store.ts'
import { IndexCheckpoint } from '../sync/index-checkpoint.ts'
import type { IndexMessage } from '../sync/index-messages.ts'
import type { FollowOperations, FollowOptions, FollowParent } from './follow-worker.ts'
import { startLoaders } from './load-worker.ts'
import { collectStartGarbageSoon } from './start-garbage.ts'
import { openThread, threadOptions } from './thread-entry.ts'

// Thread entry: tails the store's change log for this node and builds its index. Started by FollowWorker.

/** States of the slots that are on their way to the threads that serve requests. */
const IN_FLIGHT_MAX = 2

const { databaseUrl, databaseDirectUrl: directUrl, checkpointFolder, revocationLog } = threadOptions<FollowOptions>()
let isSendingAll = false
/** Blocks of rows may wait for a collection. */
let hasLoaded = false
let areSubscriptionsNoted = false
let resting = new AbortController()
const { parent, stopping, onEvent, close } = openThread<FollowParent, FollowOperations>({
  sendAll: () => {
    isSendingAll = true
    resting.abort()
  },
})
const waiting = { onEvent, signal: stopping }
const store = await retryUntilAvailable(() => openStore(databaseUrl, { directUrl }), waiting)
if (store !== undefined) {
  const isFull = (moreBytes: number) => parent.request('isFull', moreBytes)
  const checkpoint = checkpointFolder === undefined ? undefined : new IndexCheckpoint(checkpointFolder, onEvent)
  const slots = new StoreFollower(store, {
    builder: new IndexBuilder(),
    send,
    checkpoint,
    isFull,
    onSubscriptions,
    startLoaders: () => {
      hasLoaded = true
      return startLoaders(databaseUrl)
    },
  })
  let saving: Promise<void> | undefined
  const sources = new SourceFollower(
    store,
    (changes) => send({ kind: 'sources', ...changes }),
    () => performance.now(),
  )
  if (revocationLog !== undefined) await retryUntilAvailable(() => reapply(store, revocationLog), waiting)
  await retryUntilAvailable(() => slots.restore(), waiting)
  const completion =
    revocationLog === undefined ? undefined : logCompletion(store, new RevocationLog(revocationLog), onEvent)
  // It has just been completed.
  completion?.start({ withPause: true })
  // Not a `Periodic`: the store ends the pause when it has changed.
  while (!stopping.aborted) {
    if (isSendingAll) {
      isSendingAll = false
      sources.reset()
      await retryUntilAvailable(() => slots.sendAll(), waiting)
    }
    await retryUntilAvailable(() => sources.poll(), waiting)
    const isMore = await retryUntilAvailable(() => slots.poll(), waiting)
    if (hasLoaded) collectStartGarbageSoon()
    hasLoaded = false
    saving ??= slots.save().finally(() => {
      saving = undefined
    })
    if (!isSendingAll) await rest(isMore ? POLL_MS : UNCHANGED_MS)
  }
  await saving
  await completion?.close()
  await store.close()
}
close()

function onSubscriptions(): void {
  if (!areSubscriptionsNoted) parent.post('noteSubscriptions', undefined)
  areSubscriptionsNoted = true
}

/** Ends early when the store has changed, or everything is to be sent again. */
async function rest(unchangedMs: number): Promise<void> {
  resting = new AbortController()
  await store?.revisionFeed.wait(POLL_MS, AbortSignal.any([stopping, resting.signal]), unchangedMs)
}

/** Before the keys are read: a restored backup may contain keys that were revoked since. */
async function reapply(store: Store, path: string): Promise<void> {
  const onIncomplete = (error: unknown) => onEvent(incompleteLog(error))
  const reapplied = await reapplyRevocations(store, new RevocationLog(path), store.now, onIncomplete)
  if (Object.values(reapplied).some((count) => count > 0))
    onEvent({ level: 'warn', message: 'revocations were applied again', fields: { ...reapplied } })
}

async function send(message: IndexMessage): Promise<void> {
  // A key must not wait behind a million slots. Neither may sources, because keys would wait behind them.
  if (message.kind === 'slots') await parent.whenBelow(IN_FLIGHT_MAX, stopping)
  // The parent ends this thread if a message cannot be applied.
  parent.request('apply', message).catch(() => undefined)
}
