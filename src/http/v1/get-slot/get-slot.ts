// Hot path
import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import type { ApiContext } from '../../api-context.ts'
import { Problem } from '../../problem.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import type { Answer, Asked, Operation } from '../operation.ts'

/** GET /v1/scheduling/slots/{id}: one slot, of any status, for as long as its publisher lists it. */
export const showSlot: Operation = { path: `${SLOTS_PATH}/{id}`, read }

/** Throws `Problem('not-found')` for what is no id as well: whoever has it cannot tell why. */
function read({ search, name }: Asked, { index }: ApiContext): Answer {
  parseParameters(search, {}, {})
  const body = index.find(name)
  if (body === undefined)
    throw new Problem(
      'not-found',
      `There is no slot "${clip(name)}", or not any more: its publisher does not list it.`,
    )
  return { body, headers: [] }
}
