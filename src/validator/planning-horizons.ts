import { parseReference } from '../feeds/fhir/data-types.ts'
import { boundsOf, type PeriodBounds } from '../feeds/fhir/period.ts'
import { asObject, type Json } from '../lib/json.ts'

/** The `planningHorizon` of the Schedules of a feed, by id. */
export class PlanningHorizons {
  readonly #byId = new Map<unknown, PeriodBounds>()

  /** The first of equal ids counts. */
  add({ id, planningHorizon }: Json): void {
    if (planningHorizon !== undefined && !this.#byId.has(id)) this.#byId.set(id, boundsOf(planningHorizon))
  }

  /** That of the Schedule of a Slot. */
  of({ schedule }: Json): PeriodBounds | undefined {
    return this.#byId.size === 0 ? undefined : this.#byId.get(parseReference(asObject(schedule) ?? {})?.id)
  }
}
