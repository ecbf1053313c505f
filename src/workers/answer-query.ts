import type { ApiContext } from '../http/api-context.ts'
import { countDays, searchSlots } from '../http/explore/explore.ts'
import { notReady } from '../http/health.ts'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import { Problem, problemOf } from '../http/problem.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { OpenCount } from '../slot-index/slot-counts.ts'
import type { NodeWatch } from './node-health.ts'

/** What of a node is asked for by its account thread. */
export type Answering = Pick<ApiContext, 'index' | 'keyRing' | 'isReady' | 'now' | 'baseUrl'> & {
  readonly watch: NodeWatch
  /** Answers an operation of `/v1`: see `answerOperation()`. */
  readonly operate: (target: string) => SerializedResponse
  /** Told of faults of ours, which are answered 500. */
  readonly onFault: (fault: unknown, question: NodeQuery) => void
}

/** Answers what only the main thread knows, as `/v1` would: errors too, but without a key. Never throws. */
export function answerQuestion(question: NodeQuery, node: Answering): SerializedResponse {
  if (question.about === 'operation') return node.operate(question.target)
  try {
    if (question.about === 'health') return answerJson(200, JSON.stringify(node.watch.health(node)))
    if (!node.isReady()) throw notReady()
    const nowMs = node.now()
    if (question.about === 'open-slots') {
      return answerJson(200, JSON.stringify(openSlotCounts(node.index.counts(nowMs).open())))
    }
    if (question.about === 'days') {
      return answerJson(200, JSON.stringify(countDays(question.search, node.index, nowMs)))
    }
    const page = searchSlots(question.search, node.index, { baseUrl: node.baseUrl, nowMs })
    return answerJson(200, page.body, [['link', page.link]])
  } catch (thrown) {
    const known = problemOf(thrown)
    if (known === undefined) node.onFault(thrown, question)
    const problem = known ?? new Problem('internal-error', 'The service failed. Please try again.')
    return answerJson(problem.status, problem.body, Object.entries(problem.headers))
  }
}

function openSlotCounts(counts: ReadonlyMap<string, OpenCount>): OpenSlotCounts {
  return Object.fromEntries(
    [...counts].map(([publisher, { all, byState }]) => [
      publisher,
      { all, byState: Object.fromEntries(byState) },
    ]),
  )
}

function answerJson(
  status: number,
  body: string | Uint8Array,
  headers: readonly (readonly [string, string])[] = [],
): SerializedResponse {
  return {
    status,
    headers: [['content-type', 'application/json'], ...headers],
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
