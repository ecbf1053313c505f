import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import { Problem } from '../../problem.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import { EXAMPLE_SLOT } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'

/** GET /v1/scheduling/slots/{id}: one slot. */
export const getSlot: Operation = {
  path: `${SLOTS_PATH}/{id}`,
  id: 'showSlot',
  summary: 'Show a slot',
  description: 'Returns one slot of any status while its publisher lists it.',
  pathParameter: {
    name: 'id',
    description: 'The id of the slot.',
    schema: { type: 'string', pattern: '^[0-9a-v]{24}$' },
    example: EXAMPLE_SLOT.id,
  },
  parameters: {},
  content: jsonContent('Slot', EXAMPLE_SLOT),
  headers: INDEX_HEADERS,
  problems: ['invalid-parameter', 'not-found'],
  /** Throws `Problem('not-found')`, also for a malformed id. */
  read({ search, name }, { index }) {
    parseParameters(search, {}, {})
    const body = index.find(name)
    if (body === undefined) throw slotNotFound(name)
    return { body, headers: '' }
  },
}

export function slotNotFound(id: string): Problem {
  return new Problem('not-found', `Slot "${clip(id)}" does not exist, or its publisher no longer lists it.`)
}
