import { storeAway } from '../http/dashboard-api/problems.ts'
import type { FromAccountThread, ToAccountThread } from './dashboard-messages.ts'
import { plainOf } from './plain-http.ts'

/** What is said to whoever asks while the store is away and nothing is open yet. */
export async function answerAway(message: ToAccountThread): Promise<FromAccountThread | undefined> {
  const { id } = message
  if (message.kind === 'usage') return { kind: 'uncounted', id }
  if (message.kind === 'answer') return undefined
  return { kind: 'response', id, response: await plainOf(storeAway().toResponse()) }
}
