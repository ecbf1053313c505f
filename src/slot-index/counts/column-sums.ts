// Hot path
import type { Steps } from '../../lib/steps.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import type { CountedBlock, OfferingCounts } from './offering-counts.ts'

/** Number of slots by the numbers of columns of `OfferingTable`. */
export interface ColumnSums {
  readonly places: Uint32Array
  readonly serviceTypes: Uint32Array
  readonly specialties: Uint32Array
}

/** Sums counted offerings by the columns of the table. */
export function* sumOfferings(table: OfferingTable, counted: OfferingCounts): Steps<ColumnSums> {
  const sums = {
    places: new Uint32Array(table.placesEnd),
    serviceTypes: new Uint32Array(table.serviceTypes.end),
    specialties: new Uint32Array(table.specialties.end),
  }
  for (const block of counted.blocks()) {
    sumBlock(table, block, sums)
    yield
  }
  return sums
}

function sumBlock(
  { placeOf, serviceTypeOf, specialtyOf }: OfferingTable,
  { length, offerings, counts }: CountedBlock,
  { places, serviceTypes, specialties }: ColumnSums,
): void {
  const [place, serviceType, specialty] = [placeOf.values, serviceTypeOf.values, specialtyOf.values]
  for (let n = 0; n < length; n++) {
    const offering = offerings[n]
    const count = counts[n]
    places[place[offering]] += count
    serviceTypes[serviceType[offering]] += count
    specialties[specialty[offering]] += count
  }
}
