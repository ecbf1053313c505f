import { EVENT_IDS_MAX } from '../shared/subscription-vocabulary.ts'
import { formatRevision } from '../slot/revision.ts'
import type { ClaimedDelivery } from '../store/contracts/deliveries.ts'

/** The event of a delivery, without its state. */
export type DeliveredEvent = Pick<
  ClaimedDelivery,
  'type' | 'subscriptionId' | 'createdAtMs' | 'fromRevision' | 'toRevision' | 'total' | 'ids' | 'challenge' | 'filters'
>

/** What the node knows about slots. */
export interface KnownSlots {
  /** Identifies the store of the revisions: see `Revision`. */
  readonly store: number
  /** The JSON of each as `/v1` serves it, by id; those that are gone are absent. */
  readonly slots: ReadonlyMap<string, string>
}

/** Slots in an event; the rest have only an id. */
export const EVENT_SLOTS_MAX = 25

/** Receivers may refuse larger bodies. */
export const EVENT_BYTES_MAX = 64 * 1024

/**
 * The JSON text of an event. One about slots has the first slots that still exist, as many as fit into 64 KiB; of `slots.opened`, those that
 * are still free. Above `EVENT_IDS_MAX` slots, it has their number only.
 *
 *     {"type":"slots.opened","timestamp":"…","data":{"subscriptionId":"sub_…","revision":"…","total":2,"ids":[…],"slots":[…],"changes":"https://…"}}
 */
export function eventBody(event: DeliveredEvent, baseUrl: string, known?: KnownSlots): string {
  const { type, subscriptionId, challenge } = event
  const head = `{"type":"${type}","timestamp":"${new Date(event.createdAtMs).toISOString()}","data":`
  if (type === 'subscription.verification') return `${head}${JSON.stringify({ subscriptionId, challenge })}}`
  if (type === 'subscription.test') return `${head}${JSON.stringify({ subscriptionId })}}`
  const { fromRevision, toRevision, total, filters } = event
  const store = known?.store ?? 0
  const since = formatRevision({ store, revision: fromRevision })
  const revision = formatRevision({ store, revision: toRevision })
  const ids = total > EVENT_IDS_MAX ? [] : event.ids
  const changes = `${baseUrl}/v1/scheduling/changes?${filters === '' ? '' : `${filters}&`}since=${since}`
  const found = ids.slice(0, EVENT_SLOTS_MAX).flatMap((id) => known?.slots.get(id) ?? [])
  const start = JSON.stringify({ subscriptionId, revision, total, ids }).slice(0, -1)
  const end = `,"changes":${JSON.stringify(changes)}}}`
  const room = EVENT_BYTES_MAX - Buffer.byteLength(`${head}${start},"slots":[]${end}`)
  const slots = fitting(type === 'slots.opened' ? found.filter(isFree) : found, room)
  return `${head}${start},"slots":[${slots.join()}]${end}`
}

/** The first texts that fit, with a comma each. */
function fitting(texts: readonly string[], bytesMax: number): readonly string[] {
  let bytes = 0
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1
    return bytes > bytesMax
  })
  return end === -1 ? texts : texts.slice(0, end)
}

/** See `encodeSlot()`. */
function isFree(json: string): boolean {
  return json.startsWith('","status":"free"', json.indexOf('"', ID_AT))
}

const ID_AT = '{"id":"'.length
