import { isObject } from '../../../lib/json.ts'
import { Unanswered } from '../query-service.ts'
import { formatSlot, SLOT_VIEW, viewSlot } from '../slot-view.ts'
import { FROM_PUBLISHERS, objectOf, STRING, type Tool } from '../tool.ts'

/** `get_slot`: one slot as it is now. */
export const getSlot: Tool = {
  name: 'get_slot',
  title: 'Look at one slot again',
  description: `Tells whether a slot that was found before is still there and free. Ask this right before you send somebody to book it.`,
  input: {
    ...objectOf({
      id: { ...STRING, pattern: '^[0-9a-v]{24}$', description: 'The id of a slot, from search_slots.' },
    }),
    additionalProperties: false,
  },
  output: objectOf({ slot: SLOT_VIEW }),
  async run({ id }, ask) {
    if (typeof id !== 'string' || !/^[0-9a-v]{24}$/.test(id)) {
      throw new Unanswered(
        'id must be the id of a slot: 24 digits and letters from a to v, as search_slots tells it.',
      )
    }
    const { body } = await ask(`/v1/scheduling/slots/${id}`, '')
    const slot = viewSlot(isObject(body) ? body : {})
    return { text: `${formatSlot(slot)}\n${FROM_PUBLISHERS}`, structured: { slot } }
  },
}
