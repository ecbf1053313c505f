import { z } from 'zod'
import type { SourceActionView } from '../../../shared/source-shapes.ts'
import type { SourceAction } from '../../../store/contracts/source-log.ts'
import { readQuery, wholeNumber } from '../read-form.ts'
import type { Visit } from '../visit.ts'

/** What operators did to sources, newest first; of those that are gone as well. */
export async function listSourceLog({
  account,
  request,
}: Visit): Promise<{ actions: readonly SourceActionView[] }> {
  const { slug = '', beforeId, limit = 50 } = readQuery(request, PAGE)
  const actions = await account.store.sourceLog.list({
    limit,
    ...(slug !== '' && { slug }),
    ...(beforeId !== undefined && { beforeId }),
  })
  return { actions: actions.map(viewAction) }
}

/** An action as operators see it. */
export function viewAction({ actor, ...action }: SourceAction): SourceActionView {
  const { name, address } = actor
  return { ...action, actor: name, ...(address !== undefined && { address }) }
}

const PAGE = z.strictObject({
  slug: z.string().max(63, 'The slug must have at most 63 characters.').optional(),
  beforeId: wholeNumber('The last id', 0, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber('The limit', 1, 200).optional(),
})
