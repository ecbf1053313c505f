import { InvalidParameter, parseParameters } from '../../../slot/query-parameter.ts'
import type { AuditActor } from '../../../store/contracts/audit.ts'
import { LimitReached, RateLimitReached, type Store } from '../../../store/contracts/store.ts'
import type { SubscriptionId, subscriptionPosition } from '../../../store/contracts/subscriptions.ts'
import type { SecretSubscription, SubscriptionChanges } from '../../../subscriptions/subscription-changes.ts'
import { answerFromStore } from '../../answer-from-store.ts'
import type { FailedRequest } from '../../api-context.ts'
import { Problem, temporarilyUnavailable } from '../../problem.ts'
import { jsonResponse, type SerializedRequest, type SerializedResponse } from '../../serialized-http.ts'
import type { Operation } from '../operation.ts'
import { matchPath } from '../operations.ts'
import { nextLink } from '../page-links.ts'
import { deliveryJson, subscriptionJson } from './subscription-json.ts'
import { CURSOR_PARAMETERS, type CursorDraft, SUBSCRIPTIONS_PATH } from './subscription-operations.ts'

interface HandlerOptions {
  readonly store: Pick<Store, 'subscriptions' | 'keys'>
  readonly changes: SubscriptionChanges
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Reports an unexpected error, which is answered with 500. */
  readonly onError: (error: unknown, request: FailedRequest) => void
}

/** A request for subscriptions whose key has been checked. */
interface Call {
  /** Of the subscription; the id is empty in requests for the list. */
  readonly of: SubscriptionId
  readonly search: string
  readonly request: SerializedRequest
  readonly deliveryId: string
  actor(): Promise<AuditActor>
}

const PAGE_DEFAULT = 100

/** Handles the requests of `SUBSCRIPTION_OPERATIONS` on a thread that may wait for the store. */
export class SubscriptionsHandler {
  readonly #options: HandlerOptions
  readonly #handlers: Readonly<Record<string, (call: Call) => Promise<SerializedResponse>>> = {
    listSubscriptions: (call) => this.#list(call),
    createSubscription: (call) => this.#create(call),
    showSubscription: async ({ of }) => shown(await this.#options.store.subscriptions.find(of)),
    changeSubscription: (call) => this.#change(call),
    deleteSubscription: (call) => this.#remove(call),
    testSubscription: (call) => this.#test(call),
    rotateSubscriptionSecret: (call) => this.#rotate(call),
    listDeliveries: (call) => this.#deliveries(call),
    retryDelivery: (call) => this.#retry(call),
  }

  constructor(options: HandlerOptions) {
    this.#options = options
  }

  /** Never rejects: errors become responses. */
  handle(request: SerializedRequest): Promise<SerializedResponse> {
    const failures = { unavailable: subscriptionsUnavailable, onError: this.#options.onError }
    return answerFromStore(request, () => limited(() => this.#answer(request)), failures)
  }

  async #answer(request: SerializedRequest): Promise<SerializedResponse> {
    const match = matchPath(request.target)
    const operation = match?.byMethod.get(request.method)?.operation
    if (match === undefined || operation === undefined || request.caller === undefined)
      throw new Error(`Cannot answer ${request.method} ${request.operation}: it is not an operation of subscriptions`)
    const { organizationId, id: keyId } = request.caller
    const { search, name, itemName = '' } = match
    parseParameters(search, operation.parameters as typeof CURSOR_PARAMETERS, { limit: PAGE_DEFAULT })
    if (!hasForm(operation.pathParameter, name) || !hasForm(operation.itemParameter, itemName)) throw notFound()
    const actor = () => this.#actorOf(request, { organizationId, keyId })
    return this.#handlers[operation.id]({
      of: { id: name, organizationId },
      search,
      request,
      deliveryId: itemName,
      actor,
    })
  }

  async #list({ of, search }: Call): Promise<SerializedResponse> {
    const { limit, cursor } = parsePage(search)
    const { subscriptions } = this.#options.store
    const after = cursor === undefined ? {} : { after: positionOf(cursor) }
    const page = await subscriptions.list(of.organizationId, { limit: limit + 1, ...after })
    const shownOnes = page.slice(0, limit)
    const last = page.length > limit ? shownOnes.at(-1) : undefined
    const next = last && `${last.createdAtMs.toString(36)}_${last.id}`
    const base = `${this.#options.baseUrl}${SUBSCRIPTIONS_PATH}`
    return page200({ subscriptions: shownOnes.map(subscriptionJson) }, { base, search, next })
  }

  async #create({ of, request, actor }: Call): Promise<SerializedResponse> {
    const input = parseBody(request)
    const { organizationId } = of
    const created = await this.#options.changes.create(input, { organizationId, by: await actor() })
    const location = `${this.#options.baseUrl}${SUBSCRIPTIONS_PATH}/${created.subscription.id}`
    return json(withSecret(created), { status: 201, headers: [['location', location]] })
  }

  async #change({ of, request, actor }: Call): Promise<SerializedResponse> {
    const by = await actor()
    return shown(await this.#options.changes.edit(of, parseBody(request), by))
  }

  async #remove({ of, actor }: Call): Promise<SerializedResponse> {
    if (!(await this.#options.store.subscriptions.remove(of, await actor()))) throw notFound()
    return { status: 204, headers: [], body: new Uint8Array() }
  }

  async #test({ of, actor }: Call): Promise<SerializedResponse> {
    const event = await this.#options.store.subscriptions.sendTest(of, await actor())
    if (event === undefined) throw notFound()
    return json(deliveryJson(event), { status: 202 })
  }

  async #rotate({ of, actor }: Call): Promise<SerializedResponse> {
    const rotated = await this.#options.changes.rotateSecret(of, await actor())
    if (rotated === undefined) throw notFound()
    return json(withSecret(rotated))
  }

  async #deliveries({ of, search }: Call): Promise<SerializedResponse> {
    const { limit, cursor } = parsePage(search)
    const before = cursor === undefined ? {} : { beforeSequence: sequenceOf(cursor) }
    const page = await this.#options.store.subscriptions.deliveries(of, { limit: limit + 1, ...before })
    if (page === undefined) throw notFound()
    const shownOnes = page.slice(0, limit)
    const next = page.length > limit ? shownOnes.at(-1)?.sequence.toString(36) : undefined
    const base = `${this.#options.baseUrl}${SUBSCRIPTIONS_PATH}/${of.id}/deliveries`
    return page200({ deliveries: shownOnes.map(deliveryJson) }, { base, search, next })
  }

  async #retry({ of, deliveryId, actor }: Call): Promise<SerializedResponse> {
    const event = await this.#options.store.subscriptions.retry(of, deliveryId, await actor())
    if (event === undefined) throw notFound()
    return json(deliveryJson(event), { status: 202 })
  }

  /** The key, as audit logs name it. */
  async #actorOf(
    { address, requestId }: SerializedRequest,
    { organizationId, keyId }: { readonly organizationId: string; readonly keyId: string },
  ): Promise<AuditActor> {
    const [key] = await this.#options.store.keys.names(organizationId, [keyId])
    return { name: key === undefined ? `key ${keyId}` : `key ${key.name} (…${key.lastFour})`, address, requestId }
  }
}

/** No other text is an id, and a database may refuse it. */
function hasForm(parameter: Operation['pathParameter'], value: string): boolean {
  return parameter === undefined || new RegExp(String(parameter.schema.pattern)).test(value)
}

/** The store is unavailable or not open yet. */
export function subscriptionsUnavailable(): Problem {
  return temporarilyUnavailable('Subscriptions are')
}

function notFound(): Problem {
  return new Problem('not-found', 'Your organization has no such subscription or event.')
}

function shown(subscription: Parameters<typeof subscriptionJson>[0] | undefined): SerializedResponse {
  if (subscription === undefined) throw notFound()
  return json(subscriptionJson(subscription))
}

function withSecret({ subscription, secret }: SecretSubscription): object {
  return { ...subscriptionJson(subscription), secret }
}

function json(value: object, options?: Parameters<typeof jsonResponse>[1]): SerializedResponse {
  const { headers = [], ...rest } = options ?? {}
  return jsonResponse(JSON.stringify(value), { ...rest, headers: [...headers, ['cache-control', 'no-store']] })
}

function page200(
  value: object,
  { base, search, next }: { readonly base: string; readonly search: string; readonly next: string | undefined },
): SerializedResponse {
  if (next === undefined) return json(value)
  return json(value, { headers: [['link', nextLink(base, search, { parameter: 'cursor', value: next })]] })
}

/** Throws `InvalidParameter`. */
function parseBody({ body }: SerializedRequest): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new InvalidParameter('body', 'The body must be a JSON object.')
  }
}

function parsePage(search: string): CursorDraft {
  return parseParameters<CursorDraft>(search, CURSOR_PARAMETERS, { limit: PAGE_DEFAULT })
}

function positionOf(cursor: string): ReturnType<typeof subscriptionPosition> {
  const mark = cursor.indexOf('_')
  const [time, id] = [cursor.slice(0, mark === -1 ? undefined : mark), mark === -1 ? '' : cursor.slice(mark + 1)]
  const atMs = sequenceOf(time)
  return { rank: atMs, atMs, id }
}

function sequenceOf(cursor: string): number {
  return Math.min(Number.parseInt(cursor, 36), Number.MAX_SAFE_INTEGER)
}

/** A limit of the store becomes a 429. */
async function limited<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    const [kind, seconds] =
      error instanceof RateLimitReached
        ? (['too-many-requests', 60] as const)
        : (['too-many-subscriptions', 3600] as const)
    throw new Problem(kind, `${error.message}.`, { headers: { 'retry-after': String(seconds) } })
  }
}
