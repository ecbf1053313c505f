import { PAGE_PARAMETERS } from '../../../slot/slot-query.ts'
import { cleanText } from '../clean-text.ts'
import { countOf, listOf } from '../query-service.ts'
import { COUNT, FROM_PUBLISHERS, objectOf, STRING, type Tool } from '../tool.ts'
import { inputOf, searchOf } from '../tool-search.ts'

/** `list_publishers`: who publishes slots, and how fresh they are. */
export const listPublishers: Tool = {
  name: 'list_publishers',
  title: 'List publishers',
  description:
    'Lists who publishes the slots (clinics, pharmacies, booking platforms): the name for the argument publisher, how many free slots each has, and when they were read last.',
  input: inputOf(PAGE_PARAMETERS, ['limit', 'offset']),
  output: objectOf({
    total: COUNT,
    publishers: {
      type: 'array',
      items: objectOf(
        { publisher: STRING, name: STRING, freeSlots: COUNT },
        { lastSyncAt: STRING, status: STRING },
      ),
    },
  }),
  async run(args, ask) {
    const { body } = await ask('/v1/scheduling/publishers', searchOf(args, listPublishers.input).toString())
    const publishers = listOf(body, 'publishers').map(viewPublisher)
    const total = countOf(body, 'total')
    const lines = publishers.map(
      ({ publisher, name, freeSlots, lastSyncAt }) =>
        `${publisher}: ${name}, ${freeSlots} free, ${lastSyncAt === undefined ? 'not read yet' : `read ${lastSyncAt}`}`,
    )
    const found = `${total} ${total === 1 ? 'publisher' : 'publishers'}; here are ${publishers.length}.`
    return { text: [found, ...lines, FROM_PUBLISHERS].join('\n'), structured: { total, publishers } }
  },
}

function viewPublisher(each: Readonly<Record<string, unknown>>) {
  const publisher = cleanText(each.publisher) ?? ''
  const [lastSyncAt, status] = [cleanText(each.lastSyncAt), cleanText(each.status)]
  return {
    publisher,
    name: cleanText(each.name) ?? publisher,
    freeSlots: countOf(each.slots, 'free'),
    ...(lastSyncAt !== undefined && { lastSyncAt }),
    ...(status !== undefined && { status }),
  }
}
