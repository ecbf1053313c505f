import { clip, InvalidParameter } from '../../../slot/query-parameter.ts'
import { parseSlotQuery, type SlotQuery } from '../../../slot/slot-query.ts'

const PAGING = ['limit', 'offset', 'cursor']

/**
 * The query of an export: that of the list, less what is about its pages. Throws `InvalidParameter`.
 */
export function parseExportQuery(search: string): SlotQuery {
  const asked = new URLSearchParams(search)
  for (const name of PAGING) {
    const value = asked.get(name)
    if (value === null) continue
    const message = `${name} must be left out of an export, which has all slots that match: got "${clip(value)}".`
    throw new InvalidParameter(name, message)
  }
  return parseSlotQuery(search)
}
