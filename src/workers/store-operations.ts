import type { FailedRequest } from '../http/api-context.ts'
import { isFhirTarget } from '../http/fhir-outcome.ts'
import { McpEndpoint, mcpUnavailable } from '../http/mcp/mcp-endpoint.ts'
import type { NodeQuery } from '../http/node-query.ts'
import type { Problem } from '../http/problem.ts'
import { MCP_PATH } from '../http/relay.ts'
import { problemResponse, type SerializedRequest, type SerializedResponse } from '../http/serialized-http.ts'
import { HISTORY_REQUEST, HistoryReader, historyUnavailable } from '../http/status/read-history.ts'
import { UpdatesHandler, updatesUnavailable } from '../http/v1/fhir-feed/serve-updates.ts'
import { ChangesHandler, changesUnavailable } from '../http/v1/list-changes/serve-changes.ts'
import { type SubscriptionsHandler, subscriptionsUnavailable } from '../http/v1/subscriptions/serve-subscriptions.ts'
import { SUBSCRIPTIONS_PATH } from '../http/v1/subscriptions/subscription-operations.ts'
import type { Store } from '../store/contracts/store.ts'
import type { DashboardThreadOptions } from './dashboard-messages.ts'

interface StoreOperationsOptions {
  readonly store: Store
  readonly options: DashboardThreadOptions
  readonly query: (query: NodeQuery, signal?: AbortSignal) => Promise<SerializedResponse>
  readonly onError: (error: unknown, request: FailedRequest) => void
}

/** Returns what responds to requests with an `operation`, which need the store: changes, updates, subscriptions, MCP and the history. */
export function openStoreOperations({ store, options, query, onError }: StoreOperationsOptions) {
  const { baseUrl, dashboardUrl, service, version } = options
  const shared = { baseUrl, now: store.now, onError }
  const changes = new ChangesHandler({ ...shared, log: store.changeLog })
  const updates = new UpdatesHandler({ ...shared, store })
  const subscriptions = subscriptionsOf({ store, options, onError })
  const mcp = new McpEndpoint({ ask: query, subscriptions, baseUrl, dashboardUrl, version, service, onError })
  const history = new HistoryReader({ store, now: store.now })
  return (request: SerializedRequest, signal: AbortSignal): Promise<SerializedResponse> => {
    if (request.operation === HISTORY_REQUEST.operation) return history.respond()
    if (request.operation === MCP_PATH) return mcp.answer(request, signal)
    if (isSubscription(request)) return subscriptions(request)
    return (isUpdate(request) ? updates : changes).handle(request)
  }
}

/** The response while the store is unavailable and nothing is open yet. */
export function unavailableOperation(request: SerializedRequest): SerializedResponse {
  if (request.operation === HISTORY_REQUEST.operation) return historyUnavailable()
  return problemResponse(unavailableProblem(request))
}

function unavailableProblem(request: SerializedRequest): Problem {
  if (isUpdate(request)) return updatesUnavailable()
  if (isSubscription(request)) return subscriptionsUnavailable()
  return request.operation === MCP_PATH ? mcpUnavailable() : changesUnavailable()
}

function isUpdate({ operation }: SerializedRequest): boolean {
  return operation !== undefined && isFhirTarget(operation)
}

function isSubscription({ operation }: SerializedRequest): boolean {
  return operation?.startsWith(SUBSCRIPTIONS_PATH) === true
}

/** Answers requests for subscriptions; the first loads the code. */
function subscriptionsOf(given: Pick<StoreOperationsOptions, 'store' | 'options' | 'onError'>) {
  let opened: Promise<SubscriptionsHandler> | undefined
  const load = async () => {
    const { openSubscriptions } = await import('./open-subscriptions.ts')
    return openSubscriptions(given)
  }
  return async (request: SerializedRequest) => {
    opened ??= load()
    return (await opened).handle(request)
  }
}
