import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { BatchOutcome, SourceTotalsView } from '../../../../src/shared/contract/source-lists.ts'
import { BATCH_MAX, type BatchAction } from '../../../../src/shared/source-vocabulary.ts'
import { call } from '../../api/client.ts'
import { notifyError, notifyFailure, notifySuccess } from '../../components/notify.ts'
import { batchDone, countSources } from './source-labels.ts'

/** A check reads each manifest from its publisher. */
const CHECKED_AT_ONCE = 5

/** An action on the selected sources, while it runs. */
export interface BatchProgress {
  readonly action: BatchAction
  readonly done: number
  readonly total: number
}

/** The actions that failed. */
export interface BatchFailures {
  readonly action: BatchAction
  readonly failed: BatchOutcome['failed']
}

/** The batch that runs, and the failures of the last one. Kept outside of the page, which may be left and opened again meanwhile. */
let state: { readonly progress?: BatchProgress; readonly failures?: BatchFailures } = {}
let isStopped = false
const listeners = new Set<() => void>()

/** Changes many sources, in requests of at most `BATCH_MAX`. One batch runs at a time; errors are shown as toasts. */
export function useSourceBatch() {
  const client = useQueryClient()
  const { progress, failures } = useSyncExternalStore(subscribe, () => state)
  const run = async (action: BatchAction, slugs: readonly string[]): Promise<readonly string[]> => {
    isStopped = false
    const done: string[] = []
    const failed: BatchOutcome['failed'] = []
    try {
      for (const part of partsOf(slugs, action === 'check' ? CHECKED_AT_ONCE : BATCH_MAX)) {
        if (isStopped) break
        setState({ progress: { action, done: done.length + failed.length, total: slugs.length } })
        const outcome = await call('POST /api/operator/source-batches', { body: { action, slugs: part } })
        done.push(...outcome.done)
        failed.push(...outcome.failed)
      }
    } catch (error) {
      notifyError(error)
    }
    setState(failed.length > 0 ? { failures: { action, failed } } : {})
    if (done.length > 0) notifySuccess(batchDone(action, done.length))
    if (failed.length > 0 && listeners.size === 0) notifyFailure(`${countSources(failed.length)} failed: see Sources.`)
    if (action !== 'check') await client.invalidateQueries({ queryKey: ['operator', 'sources', ''] })
    return done
  }
  return {
    progress,
    failures,
    run,
    stop: () => {
      isStopped = true
    },
    closeFailures: () => setState({}),
  }
}

function setState(next: typeof state): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The slots and syncs that go with the sources. Throws `ApiError`. */
export async function sourceTotals(slugs: readonly string[]): Promise<SourceTotalsView> {
  const sum = { sources: 0, slots: 0, syncs: 0 }
  for (const part of partsOf(slugs, BATCH_MAX)) {
    const totals = await call('POST /api/operator/source-totals', { body: { slugs: part } })
    sum.sources += totals.sources
    sum.slots += totals.slots
    sum.syncs += totals.syncs
  }
  return sum
}

function partsOf(slugs: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(slugs.length / size) }, (_, n) => slugs.slice(n * size, (n + 1) * size))
}
