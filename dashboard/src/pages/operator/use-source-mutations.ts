import { useQueryClient } from '@tanstack/react-query'
import type { SourceView } from '../../../../src/shared/contract/sources.ts'
import type { ReviewPolicy } from '../../../../src/shared/source-vocabulary.ts'
import { call } from '../../api/client.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { REVIEW_POLICY_LABELS } from './source-labels.ts'

/** An operator's actions on a source. All except `edit`, `accept` and `remove` show errors as toasts. */
export interface SourceMutations {
  readonly syncNow: (slug: string) => Promise<void>
  readonly setPaused: (slug: string, paused: boolean) => Promise<void>
  readonly setHold: (slug: string, hold: ReviewPolicy) => Promise<void>
  /** Applies a JSON Merge Patch. Throws `ApiError`. */
  readonly edit: (slug: string, patch: object) => Promise<void>
  /**
   * Approves suspicious data or withdraws the approval. `heldSinceMs` identifies the reviewed snapshot; null if none is
   * held. Throws `ApiError`.
   */
  readonly accept: (slug: string, accept: boolean, heldSinceMs: number | null) => Promise<void>
  /** Throws `ApiError`. */
  readonly remove: (slug: string) => Promise<void>
}

/** Changes sources and refetches them. */
export function useSourceMutations(): SourceMutations {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: ['operator', 'sources'] })
  const change = async (send: () => Promise<SourceView>, done: string) => {
    try {
      await send()
      notifySuccess(done)
    } catch (error) {
      notifyError(error)
    }
    // Also after an error: another person may have removed the source.
    await refetch()
  }
  return {
    syncNow: (slug) =>
      change(() => call('POST /api/operator/sources/:slug/sync', { params: { slug } }), `Syncing ${slug}…`),
    setPaused: (slug, paused) =>
      change(
        () => call('PATCH /api/operator/sources/:slug', { params: { slug }, body: { paused } }),
        paused ? `Paused ${slug}. Its slots stay available.` : `Resumed ${slug}.`,
      ),
    setHold: (slug, hold) =>
      change(
        () => call('PATCH /api/operator/sources/:slug', { params: { slug }, body: { hold } }),
        `Hold for review of ${slug}: ${REVIEW_POLICY_LABELS[hold].toLowerCase()}.`,
      ),
    async edit(slug, patch) {
      await call('PATCH /api/operator/sources/:slug', { params: { slug }, body: patch })
      notifySuccess(`Saved ${slug}.`)
      await refetch()
    },
    async accept(slug, accept, heldSinceMs) {
      try {
        await call('POST /api/operator/sources/:slug/accept', {
          params: { slug },
          body: { accept, heldSinceMs },
        })
        const approved = heldSinceMs === null ? 'Marked as expected' : 'Approved the held snapshot'
        notifySuccess(accept ? `${approved}: ${slug}.` : `Withdrew the approval of ${slug}.`)
      } finally {
        // Also after an error: the held snapshot may have changed.
        await refetch()
      }
    },
    async remove(slug) {
      await call('DELETE /api/operator/sources/:slug', { params: { slug }, body: { slug } })
      notifySuccess(`Removed ${slug} and its slots.`)
      // The source's page may still be open and must not refetch.
      client.removeQueries({ queryKey: ['operator', 'sources', slug], type: 'inactive' })
      await client.invalidateQueries({ queryKey: ['operator', 'sources', ''] })
    },
  }
}
