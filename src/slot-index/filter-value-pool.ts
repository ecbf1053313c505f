import { type Traits, traitsOf } from '../slot/filter-values.ts'
import type { Modality, Offering } from '../slot/slot.ts'

/** More different texts than cities, codes and specialties come to; beyond it the pool begins anew. */
const TEXTS_MAX = 100_000

/**
 * Traits of which those that many offerings share are the same object: a city's name is held once, and comparing it with the
 * same again is comparing two addresses. What is let go meanwhile stays until the pool is full, and is then forgotten as a whole.
 */
export class FilterValuePool {
  readonly #texts = new Map<string, string>()
  readonly #states = new Map<string, readonly string[]>()
  readonly #modes = new Map<string, readonly Modality[]>()

  traitsOf(offering: Offering): Traits {
    if (this.#texts.size > TEXTS_MAX) this.#texts.clear()
    if (this.#states.size > TEXTS_MAX) this.#states.clear()
    const traits = traitsOf(offering)
    return {
      ...traits,
      publisher: this.#text(traits.publisher),
      states: pooled(this.#states, traits.states.join(), traits.states),
      modes: pooled(this.#modes, traits.modes.join(), traits.modes),
      serviceTypeCode: this.#text(traits.serviceTypeCode),
      appointmentType: this.#text(traits.appointmentType),
      city: this.#text(traits.city),
      postalCode: this.#text(traits.postalCode),
      specialty: this.#text(traits.specialty),
    }
  }

  #text<Text extends string | undefined>(text: Text): Text {
    return text === undefined ? text : (pooled(this.#texts, text, text) as Text)
  }
}

function pooled<Value>(pool: Map<string, Value>, name: string, value: Value): Value {
  const known = pool.get(name)
  if (known === undefined) pool.set(name, value)
  return known ?? value
}
