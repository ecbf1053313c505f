import type { ActiveKey } from '../../keys/key-ring.ts'
import type { Steps } from '../../lib/steps.ts'
import type { JsonSchema, QueryParameter } from '../../slot/query-parameter.ts'
import type { Allocate } from '../../slot-index/page.ts'
import type { ApiContext, RequestContext } from '../api-context.ts'
import type { ProblemKind } from '../problem.ts'
import type { JsonBody } from '../send-json.ts'
import type { HeaderName } from './openapi/headers.ts'

/**
 * An operation of `/v1`: its method and path, its documentation, and its handler. It is answered on this thread from the index,
 * whole (`read`) or streamed (`streams`, by media type), as `Accept` chooses; without either by the dashboard thread, which may wait
 * for the store.
 */
export interface Operation {
  /** `GET` by default, which includes `HEAD`. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** The last segment, or the one before it, may be a parameter: `{…}`; with `itemParameter`, two of them. */
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly pathParameter?: PathParameter
  /** The second parameter of the path. */
  readonly itemParameter?: PathParameter
  readonly parameters: Readonly<
    Record<string, Pick<QueryParameter<never>, 'description' | 'schema' | 'examples' | 'repeatable'>>
  >
  readonly required?: readonly string[]
  /** The JSON body of the request: a component and an example of it. */
  readonly body?: { readonly schema: string; readonly example: unknown }
  /** Of success; 200 by default. */
  readonly status?: 201 | 202 | 204
  /** Responses with the status of success, by media type; empty if there are none. */
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>
  /** Names in `Accept` that ask for the default, too. */
  readonly alsoAccepts?: readonly string[]
  /** Headers of a 200 beside those of every response. */
  readonly headers: readonly HeaderName[]
  /** Those of `headers` that some media types lack. */
  readonly optionalHeaders?: readonly HeaderName[]
  /** When the response is a redirect. */
  readonly redirect?: { readonly status: 302 | 307; readonly description: string }
  /** Beside those of every operation. */
  readonly problems: readonly ProblemKind[]
  readonly read?: OperationReader
  /** The response depends on more than the slots: it is not cached, and its ETag is a hash of its content. */
  readonly isTimely?: true
  readonly streams?: Readonly<Record<string, Streamer>>
  /** Responds with a redirect, whatever `Accept` says. Throws as a streamer does. */
  readonly sendRedirect?: Streamer
}

/** A parameter of a path. */
interface PathParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string
}

/**
 * Reads a whole response: at once, or in steps if it takes more than a fraction of a millisecond. Equal requests at an
 * equal `SlotIndex.version` have equal responses, so they are cached, unless the operation is timely. Throws `Problem` and
 * `InvalidParameter` before anything is sent.
 */
export type OperationReader = (
  request: OperationRequest,
  api: ApiContext,
) => OperationResponse | Steps<OperationResponse>

/** Sends a response in chunks, as fast as the caller reads. Throws `Problem` and `InvalidParameter` before the first. */
export type Streamer = (request: StreamRequest, context: RequestContext, api: ApiContext) => void

/** The parsed target of a request, and what a reader needs beside it. */
interface OperationRequest {
  /** The query string without `?`, percent-encoded; empty if there is none. */
  readonly search: string
  /** The value of the path parameter, decoded; empty if the path has none. */
  readonly name: string
  readonly nowMs: number
  /** Memory for a body that is sent once. */
  readonly allocate: Allocate
}

export interface StreamRequest extends OperationRequest {
  readonly key: ActiveKey
}

/** A response that can be sent again. */
export interface OperationResponse extends JsonBody {
  /** Headers that depend on the request, as lines, each with its line end; `ETag` and the common headers are added. */
  readonly headers: string
  /** The version of the index that it was read from; by default the current one. */
  readonly version?: string
}

/** The operations of a path, and the parts of the request target that matched it. */
export interface PathMatch extends PathOperations {
  readonly search: string
  /** The value of the path parameter, decoded; empty if the path has none. */
  readonly name: string
  readonly itemName?: string
}

/** The operations of a path, by method. */
export interface PathOperations {
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Pick<OperationMatch, 'operation' | 'types'>>
  /** The header `Allow`. */
  readonly allow: string
}

/** An operation and the parts of the request target that matched it. */
export interface OperationMatch {
  readonly operation: Operation
  /** The media types of its responses, the default first. */
  readonly types: readonly string[]
  readonly search: string
  readonly name: string
}
