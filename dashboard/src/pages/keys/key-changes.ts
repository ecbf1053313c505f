import { useQueryClient } from '@tanstack/react-query'
import { DAY_MS, HOUR_MS } from '../../../../src/lib/time.ts'
import type { KeyView, NewKey } from '../../../../src/shared/shapes.ts'
import { api, path } from '../../api/client.ts'

/** For how long the old key works on after a rotation: the four times that the API accepts. */
export const OVERLAPS = [
  { ms: 0, label: 'Not at all', note: 'It is refused from this moment. Choose this if it leaked.' },
  { ms: HOUR_MS, label: '1 hour', note: 'For one deployment that you are about to make.' },
  { ms: DAY_MS, label: '24 hours', note: 'For most changes.' },
  { ms: 604_800_000, label: '7 days', note: 'If somebody else must change it too.' },
] as const

/** What can be changed about an organization's keys. Each reads the list, the keys and the log anew. All throw `ApiError`. */
export function useKeyChanges(org: string) {
  const client = useQueryClient()
  const changed = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer
    void client.invalidateQueries({ queryKey: ['organizations', org, 'keys'] })
    void client.invalidateQueries({ queryKey: ['organizations', org, 'audit'] })
    return result
  }
  return {
    create: (body: { name: string; expiresAtMs: number | null | undefined }) =>
      changed(api.post<NewKey>(path`/organizations/${org}/keys`, body)),
    rotate: (key: string, body: { keepOldForMs: number; expiresAtMs: number | null | undefined }) =>
      changed(api.post<NewKey>(path`/organizations/${org}/keys/${key}/rotate`, body)),
    revoke: (key: string, reason: string) =>
      changed(api.post<KeyView>(path`/organizations/${org}/keys/${key}/revoke`, reason ? { reason } : {})),
  }
}
