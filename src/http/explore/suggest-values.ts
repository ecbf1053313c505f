import type { Steps } from '../../lib/steps.ts'
import type { SuggestionsView } from '../../shared/contract/explore.ts'
import { SUGGESTED_FILTERS, type SuggestedFilter } from '../../slot/filter-parameters.ts'
import { clip, InvalidParameter } from '../../slot/query-parameter.ts'
import { parseSlotQuery } from '../../slot/slot-query.ts'
import type { SlotIndex } from '../../slot-index/slot-index.ts'
import type { ApiContext } from '../api-context.ts'

/** Longer texts begin no value. */
const TEXT_LENGTH_MAX = 100

/**
 * Suggests values of a filter among the slots that match the others. Parameters: the filters of the list, `filter`, and `text`, with
 * which a word of the value begins. Throws `InvalidParameter`.
 */
export function* suggestValues(
  search: string,
  { index, sources, now }: { index: SlotIndex; sources: ApiContext['sources']; now: () => number },
): Steps<SuggestionsView> {
  const parameters = new URLSearchParams(search)
  const filter = filterNamed(parameters.get('filter') ?? '')
  const text = parameters.get('text') ?? ''
  if (text.length > TEXT_LENGTH_MAX)
    throw new InvalidParameter('text', `text must be at most ${TEXT_LENGTH_MAX} characters: got "${clip(text)}".`)
  for (const name of ['filter', 'text', filter, 'limit', 'offset', 'cursor', 'sort']) parameters.delete(name)
  const query = parseSlotQuery(parameters.toString())
  const suggestions = yield* index.inSteps(now, (view) => view.counts.values(query, filter, text))
  const names = new Map(filter === 'publisher' ? sources.all.map(({ slug, name }) => [slug, name]) : [])
  const values = suggestions.values.map((one) => {
    const name = names.get(one.value)
    return { ...one, ...(name !== undefined && name !== one.value && { label: name }) }
  })
  return { ...suggestions, values }
}

function filterNamed(name: string): SuggestedFilter {
  const filter = SUGGESTED_FILTERS.find((one) => one === name)
  if (filter !== undefined) return filter
  throw new InvalidParameter('filter', `filter must be one of ${SUGGESTED_FILTERS.join(', ')}: got "${clip(name)}".`)
}
