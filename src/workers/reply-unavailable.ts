import { rejection } from '../http/rejection.ts'
import { storeUnavailable } from '../shared/dashboard-problem.ts'
import type { FromAccountThread, ToAccountThread } from './dashboard-messages.ts'

/** Replies while the store is unavailable and nothing is open yet. */
export async function answerAway(message: ToAccountThread): Promise<FromAccountThread | undefined> {
  const { id } = message
  if (message.kind === 'usage') return { kind: 'uncounted', id }
  if (message.kind === 'answer') return undefined
  const { message: detail, headers } = storeUnavailable()
  return { kind: 'response', id, response: rejection(message.request, 'not-ready', detail, headers) }
}
