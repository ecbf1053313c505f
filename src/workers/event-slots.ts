import { setTimeout as sleep } from 'node:timers/promises'
import type { EventSlotsHead, NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { KnownSlots } from '../subscriptions/event-body.ts'

/** How long an event waits for the node to load its revision; then it is sent with the slots that are known. */
const BEHIND_MS_MAX = 5000

const ASK_EVERY_MS = 100

/** Reads slots by their ids from the memory of the node. Undefined while the node is loading. */
export function eventSlotReader(query: (query: NodeQuery) => Promise<SerializedResponse>, now: () => number) {
  return async (ids: readonly string[], revision: number): Promise<KnownSlots | undefined> => {
    for (const untilMs = now() + BEHIND_MS_MAX; ; await sleep(ASK_EVERY_MS)) {
      const { status, body } = await query({ about: 'event-slots', ids })
      if (status !== 200) return undefined
      const [head, ...lines] = Buffer.from(body).toString().split('\n')
      const { store, revision: known }: EventSlotsHead = JSON.parse(head)
      if (known < revision && now() < untilMs) continue
      return { store, slots: new Map(lines.map((json) => [json.slice(ID_AT, json.indexOf('"', ID_AT)), json])) }
    }
  }
}

/** See `encodeSlot()`. */
const ID_AT = '{"id":"'.length
