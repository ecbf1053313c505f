import { StoreUnavailable } from '../store/contracts/store.ts'
import type { FailedRequest } from './api-context.ts'
import { internalError, type Problem, problemOf } from './problem.ts'
import { problemResponse, type SerializedRequest, type SerializedResponse } from './serialized-http.ts'

/** The handling of a request for an operation of `/v1` that fails. */
interface Failures {
  /** The store is unavailable. */
  readonly unavailable: () => Problem
  /** Reports an unexpected error, which is answered with 500. */
  readonly onError: (error: unknown, request: FailedRequest) => void
}

/** Answers a request on a thread that may wait for the store. Never rejects: errors become responses. */
export async function answerFromStore(
  request: SerializedRequest,
  answer: () => Promise<SerializedResponse>,
  failures: Failures,
): Promise<SerializedResponse> {
  try {
    return await answer()
  } catch (error) {
    return problemResponse(toProblem(error, request, failures))
  }
}

function toProblem(error: unknown, { requestId, method, target }: SerializedRequest, failures: Failures): Problem {
  if (error instanceof StoreUnavailable) return failures.unavailable()
  const known = problemOf(error)
  if (known !== undefined) return known
  failures.onError(error, { id: requestId, method, url: target })
  return internalError(requestId)
}
