import { clip } from '../../../slot/query-parameter.ts'
import { SLOT_PARAMETERS } from '../../../slot/slot-query.ts'
import { cleanText } from '../clean-text.ts'
import { type AskService, countOf, listOf, Unanswered } from '../query-service.ts'
import { formatSlot, SLOT_VIEW, type SlotView, viewSlot } from '../slot-view.ts'
import {
  COUNT,
  FROM_PUBLISHERS,
  objectOf,
  STRING,
  type Tool,
  type ToolAnswer,
  type ToolArguments,
} from '../tool.ts'
import { inputOf, searchOf } from '../tool-search.ts'

/** More would be too much to choose from in a conversation; there are further pages. */
const LIMIT_MAX = 25
const LIMIT_DEFAULT = 10

const NAMES = [
  'state',
  'city',
  'postalCode',
  'near',
  'radiusKm',
  'isVirtual',
  'startAfter',
  'startBefore',
  'minDurationMinutes',
  'serviceTypeCode',
  'specialty',
  'acceptingPatients',
  'appointmentType',
  'providerNpi',
  'publisher',
  'actorKey',
  'sort',
  'limit',
  'cursor',
]

/** `search_slots`: a page of the free slots that match. */
export const searchSlots: Tool = {
  name: 'search_slots',
  title: 'Search appointment slots',
  description: `Finds free health-care appointment slots that can be booked, the earliest first, with time, place, provider and where to book.
Say where: state (two letters), city, postalCode, or near (latitude,longitude) with radiusKm; isVirtual=true for telehealth, which is found by state as well. Say when with startAfter and startBefore (RFC 3339 with an offset); without them all that is to come is searched.
Ask list_services for the codes and specialties that there are before you filter by serviceTypeCode or specialty: both are matched exactly. If nothing matches, widen the search: fewer filters, a longer time, a larger radius.
This only finds slots: a person books at the link or phone number of the slot.`,
  input: inputOf(SLOT_PARAMETERS, NAMES, {
    limit: { maximum: LIMIT_MAX, default: LIMIT_DEFAULT, examples: [LIMIT_DEFAULT] },
    cursor: {
      description: 'For the next page: nextCursor as it came, with all other arguments as they were.',
    },
  }),
  output: objectOf(
    { total: COUNT, slots: { type: 'array', items: SLOT_VIEW } },
    { nextCursor: STRING, nextAvailableStart: STRING },
  ),
  run,
}

async function run(args: ToolArguments, ask: AskService): Promise<ToolAnswer> {
  const search = searchOf(args, searchSlots.input)
  if (!search.has('limit')) search.set('limit', String(LIMIT_DEFAULT))
  requireLimit(search.get('limit'))
  if (!search.has('cursor')) search.set('cursor', '')
  const { body, header } = await ask('/v1/scheduling/slots', search.toString())
  const total = countOf(body, 'total')
  const slots = listOf(body, 'slots').map(viewSlot)
  const nextCursor = cursorOf(header('link'))
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

/** Lower than the operation's own bound, which it checks itself. */
function requireLimit(limit: string | null): void {
  if (!(Number(limit) > LIMIT_MAX)) return
  throw new Unanswered(`limit must be an integer from 1 to ${LIMIT_MAX}: got "${clip(limit ?? '')}".`)
}

function format(page: {
  total: number
  slots: readonly SlotView[]
  nextCursor: string | undefined
  nextAvailableStart: string | undefined
}): string {
  const { total, slots, nextCursor, nextAvailableStart: next } = page
  if (slots.length === 0) {
    const hint =
      next === undefined ? '' : ` Beyond the time that was asked for, the next one starts at ${next}.`
    return `No free slot ${total === 0 ? 'matches' : 'is left'}.${hint}`
  }
  const more = nextCursor === undefined ? [] : [`There are more: ask again with cursor "${nextCursor}".`]
  const found = `${total} free ${total === 1 ? 'slot matches' : 'slots match'}; here are ${slots.length}. Times are local to the offset shown.`
  return [found, ...slots.map((slot, n) => `${n + 1}. ${formatSlot(slot)}`), ...more, FROM_PUBLISHERS].join(
    '\n',
  )
}

/** Of the `Link` with rel="next". */
function cursorOf(link: string | undefined): string | undefined {
  return /[?&]cursor=([\w-]+)>; rel="next"/.exec(link ?? '')?.[1]
}
