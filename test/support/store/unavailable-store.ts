import { type Store, StoreUnavailable } from '../../../src/store/contracts/store.ts'
import { recordUnavailability } from '../../../src/store/sql/store-availability.ts'

/** A real store with a switchable outage: while `isAway()`, every operation throws `StoreUnavailable`. */
export function storeBehind(store: Store, isAway: () => boolean): Store {
  const cut = <Room extends object>(room: Room): Room =>
    new Proxy(room, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          if (isAway()) throw away()
          const answer: unknown = await value.apply(target, given)
          // The writer of a sync is subject to the same outage.
          return name === 'begin' && answer instanceof Object ? cut(answer) : answer
        }
      },
    })
  const { close, signIn, ...rooms } = store
  const cutRooms = Object.fromEntries(Object.entries(rooms).map(([name, room]) => [name, cut(room)]))
  return { ...store, ...cutRooms, signIn, close }
}

function away(): StoreUnavailable {
  const fault = new StoreUnavailable('Cannot reach the database: ECONNREFUSED')
  recordUnavailability(fault)
  return fault
}
