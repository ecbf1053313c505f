import { defined } from '../../../lib/optional.ts'
import { PAGE_PARAMETERS } from '../../../slot/slot-query.ts'
import { cleanText } from '../clean-text.ts'
import { countOf, listOf } from '../query-service.ts'
import { COUNT, FROM_PUBLISHERS, inputOf, objectOf, STRING, searchOf, type Tool } from '../tool.ts'

/** `list_publishers`: publishers and the freshness of their slots. */
export const listPublishersTool: Tool = {
  name: 'list_publishers',
  title: 'List publishers',
  description:
    'Lists the publishers of slots (clinics, pharmacies, booking platforms): the value for the argument publisher, the number of free slots, and the time of the last sync.',
  input: inputOf(PAGE_PARAMETERS, ['limit', 'offset']),
  output: objectOf({
    total: COUNT,
    publishers: {
      type: 'array',
      items: objectOf({ publisher: STRING, name: STRING, freeSlots: COUNT }, { lastSyncAt: STRING, status: STRING }),
    },
  }),
  async run(args, ask) {
    const { body } = await ask('/v1/scheduling/publishers', searchOf(args, listPublishersTool.input).toString())
    const publishers = listOf(body, 'publishers').map(viewPublisher)
    const total = countOf(body, 'total')
    const lines = publishers.map(
      ({ publisher, name, freeSlots, lastSyncAt }) =>
        `${publisher}: ${name}, ${freeSlots} free, ${lastSyncAt === undefined ? 'not synced yet' : `synced ${lastSyncAt}`}`,
    )
    const found = `${total} ${total === 1 ? 'publisher' : 'publishers'}, ${publishers.length} shown.`
    return { text: [found, ...lines, FROM_PUBLISHERS].join('\n'), structured: { total, publishers } }
  },
}

function viewPublisher(each: Readonly<Record<string, unknown>>) {
  const publisher = cleanText(each.publisher) ?? ''
  return {
    publisher,
    name: cleanText(each.name) ?? publisher,
    freeSlots: countOf(each.slots, 'free'),
    ...defined({ lastSyncAt: cleanText(each.lastSyncAt), status: cleanText(each.status) }),
  }
}
