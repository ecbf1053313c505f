import { clip, integer } from '../../../slot/query-parameter.ts'
import { SLOT_PARAMETERS } from '../../../slot/slot-query.ts'
import { cleanText } from '../clean-text.ts'
import { countOf, listOf, nextCursorOf, QueryError, type QueryService } from '../query-service.ts'
import { formatSlot, SLOT_VIEW, type SlotView, viewSlot } from '../slot-view.ts'
import {
  COUNT,
  FROM_PUBLISHERS,
  inputOf,
  objectOf,
  STRING,
  searchOf,
  type Tool,
  type ToolArguments,
  type ToolResult,
} from '../tool.ts'

/** Enough to choose from in a conversation; there are further pages. */
const LIMIT_MAX = 25
const LIMIT_DEFAULT = 10
const LIMIT = integer({ min: 1, max: LIMIT_MAX })

/** All of the list but those that a conversation does not need: status, schedule and offset. */
const NAMES = Object.keys(SLOT_PARAMETERS).filter((name) => !['status', 'scheduleId', 'offset'].includes(name))

/** `search_slots`: a page of matching free slots. */
export const searchSlots: Tool = {
  name: 'search_slots',
  title: 'Search appointment slots',
  description: `Finds free health-care appointment slots, earliest first, with time, place, provider and booking link.
Location: state (MA or Massachusetts; outside the US ISO 3166-2, such as CA-ON), city, postalCode, or near (latitude,longitude) with radiusKm; isVirtual=true for telehealth, which can also be filtered by state. Time: startAfter and startBefore (RFC 3339 with an offset); by default all future slots.
Call list_services for the available codes and specialties before you filter by serviceTypeCode or specialty: both must match exactly. If nothing matches, use fewer filters, a longer period or a larger radius.
It cannot book: people book with the slot's link or phone number.`,
  input: inputOf(SLOT_PARAMETERS, NAMES, {
    limit: { maximum: LIMIT_MAX, default: LIMIT_DEFAULT, examples: [LIMIT_DEFAULT] },
    cursor: {
      description: 'For the next page: nextCursor of the previous result, with all other arguments unchanged.',
    },
  }),
  output: objectOf(
    { total: COUNT, slots: { type: 'array', items: SLOT_VIEW } },
    { nextCursor: STRING, nextAvailableStart: STRING },
  ),
  run,
}

async function run(args: ToolArguments, ask: QueryService): Promise<ToolResult> {
  const search = searchOf(args, searchSlots.input)
  if (!search.has('limit')) search.set('limit', String(LIMIT_DEFAULT))
  requireLimit(search.get('limit') ?? '')
  if (!search.has('cursor')) search.set('cursor', '')
  const result = await ask('/v1/scheduling/slots', search.toString())
  const { body, header } = result
  const total = countOf(body, 'total')
  const slots = listOf(body, 'slots').map(viewSlot)
  const nextCursor = nextCursorOf(result)
  const nextAvailableStart = cleanText(header('next-available-start'))
  return {
    text: format({ total, slots, nextCursor, nextAvailableStart }),
    structured: {
      total,
      slots,
      ...(nextCursor && { nextCursor }),
      ...(nextAvailableStart && { nextAvailableStart }),
    },
  }
}

/** The tool's limit is lower than the operation's. */
function requireLimit(limit: string): void {
  if (LIMIT.parse(limit) !== undefined) return
  throw new QueryError(`limit must be ${LIMIT.allowed}: got "${clip(limit)}".`)
}

function format(page: {
  total: number
  slots: readonly SlotView[]
  nextCursor: string | undefined
  nextAvailableStart: string | undefined
}): string {
  const { total, slots, nextCursor, nextAvailableStart: next } = page
  if (slots.length === 0) {
    const hint = next === undefined ? '' : ` The next matching slot outside the requested period starts at ${next}.`
    return `No free slot ${total === 0 ? 'matches' : 'is left'}.${hint}`
  }
  const more = nextCursor === undefined ? [] : [`For more, call again with cursor "${nextCursor}".`]
  const found = `${total} free ${total === 1 ? 'slot matches' : 'slots match'}, ${slots.length} shown. Times are local, with their UTC offset.`
  return [found, ...slots.map((slot, n) => `${n + 1}. ${formatSlot(slot)}`), ...more, FROM_PUBLISHERS].join('\n')
}
