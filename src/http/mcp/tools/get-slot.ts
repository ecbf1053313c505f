import { isObject } from '../../../lib/json.ts'
import { QueryError } from '../query-service.ts'
import { formatSlot, SLOT_VIEW, viewSlot } from '../slot-view.ts'
import { FROM_PUBLISHERS, objectOf, STRING, type Tool } from '../tool.ts'

/** `get_slot`: the current state of one slot. */
export const getSlotTool: Tool = {
  name: 'get_slot',
  title: 'Get one slot',
  description: `Returns the current state of a slot that was found before. Use it right before a person books the slot.`,
  input: {
    ...objectOf({
      id: { ...STRING, pattern: '^[0-9a-v]{24}$', description: 'ID of a slot, from search_slots.' },
    }),
    additionalProperties: false,
  },
  output: objectOf({ slot: SLOT_VIEW }),
  async run({ id }, ask) {
    if (typeof id !== 'string' || !/^[0-9a-v]{24}$/.test(id)) {
      throw new QueryError(
        'id must be the ID of a slot: 24 digits and letters from a to v, as returned by search_slots.',
      )
    }
    const { body } = await ask(`/v1/scheduling/slots/${id}`, '')
    const slot = viewSlot(isObject(body) ? body : {})
    return { text: `${formatSlot(slot)}\n${FROM_PUBLISHERS}`, structured: { slot } }
  },
}
