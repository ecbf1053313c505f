import type { ApiContext } from '../../api-context.ts'
import type { Exchange } from '../../request-context.ts'

/** Whom to tell of a fault in the middle of an answer. */
export function tellFault(
  { request: { method = '', url = '' }, requestId: id }: Exchange,
  { onFault }: Pick<ApiContext, 'onFault'>,
): (fault: unknown) => void {
  return (fault) => onFault(fault, { id, method, url })
}
