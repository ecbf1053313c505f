import { useQueryClient } from '@tanstack/react-query'
import type { SourceView } from '../../../../src/shared/source-shapes.ts'
import type { ReviewPolicy } from '../../../../src/store/contracts/source-watch.ts'
import { api, path } from '../../api/client.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { HOLD_NAMES } from './source-labels.ts'

/** What an operator can do to a source. All but `remove` say themselves what became of it. */
export interface SourceMutations {
  readonly syncNow: (slug: string) => Promise<void>
  readonly setPaused: (slug: string, paused: boolean) => Promise<void>
  readonly setHold: (slug: string, hold: ReviewPolicy) => Promise<void>
  /** Makes another of what is named, by a JSON Merge Patch. Throws `ApiError`. */
  readonly edit: (slug: string, patch: object) => Promise<void>
  /** The yes to what is suspicious, or the end of it. Throws `ApiError`. `heldSinceMs`: of the snapshot that was looked at; null where none was held. */
  readonly accept: (slug: string, accept: boolean, heldSinceMs: number | null) => Promise<void>
  /** Throws `ApiError`. */
  readonly remove: (slug: string) => Promise<void>
}

/** Changes sources, and has what shows them read anew. */
export function useSourceMutations(): SourceMutations {
  const client = useQueryClient()
  const readAnew = () => client.invalidateQueries({ queryKey: ['operator', 'sources'] })
  const change = async (send: () => Promise<SourceView>, done: string) => {
    try {
      await send()
      notifySuccess(done)
      await readAnew()
    } catch (error) {
      notifyError(error)
    }
  }
  return {
    syncNow: (slug) =>
      change(() => api.post(path`/operator/sources/${slug}/sync`), `${slug} is being synced.`),
    setPaused: (slug, paused) =>
      change(
        () => api.patch(path`/operator/sources/${slug}`, { paused }),
        paused ? `${slug} is paused: its slots stay as they are.` : `${slug} is synced again.`,
      ),
    setHold: (slug, hold) =>
      change(
        () => api.patch(path`/operator/sources/${slug}`, { hold }),
        `Held back of ${slug}: ${HOLD_NAMES[hold].toLowerCase()}.`,
      ),
    async edit(slug, patch) {
      await api.patch<SourceView>(path`/operator/sources/${slug}`, patch)
      notifySuccess(`${slug} is changed.`)
      await readAnew()
    },
    async accept(slug, accept, heldSinceMs) {
      try {
        await api.post(path`/operator/sources/${slug}/accept`, { accept, heldSinceMs })
        notifySuccess(accept ? `You said yes to ${slug}.` : `${slug} is held on.`)
      } finally {
        // Also after a no: what is held may have become another.
        await readAnew()
      }
    },
    async remove(slug) {
      await api.remove(path`/operator/sources/${slug}`, { slug })
      notifySuccess(`${slug} is removed, and its slots with it.`)
      client.setQueryData(sourcesQuery.queryKey, (sources) =>
        sources?.filter((source) => source.slug !== slug),
      )
      // The page of the source may still be open: what it shows must not be asked for again.
      client.removeQueries({ queryKey: ['operator', 'sources', slug], type: 'inactive' })
    },
  }
}
