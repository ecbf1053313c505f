import { FILTER_PARAMETERS } from '../../../../src/slot/filter-parameters.ts'
import type { Filter } from './explore-state.ts'

/** An example or the default of a filter, from the API's parameter table. */
export function exampleOf(name: Filter): string {
  const { examples, schema } = FILTER_PARAMETERS[name]
  return schema.default === undefined ? `Any, or ${examples[0]}` : String(schema.default)
}
