import { attendanceOf } from '../../../feeds/fhir/location.ts'
import { modalitiesOf } from '../../../feeds/fhir/service-mode.ts'
import { defined } from '../../../lib/optional.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { ResourceGraph } from './resource-graph.ts'

/**
 * The service modes that a slot states itself: none if its Locations say the same. A mode that is not understood hides that of the
 * Locations.
 */
export function ownChannelsOf({ modalities }: Offering, graph: ResourceGraph): readonly string[] {
  return String(modalities) === String(modalitiesIn(graph)) ? [] : (modalities ?? ['unknown'])
}

/** As the reader finds them: by the Locations of the Schedule, else of its roles, else of its services. */
function modalitiesIn({ actors, locations, roles, services }: ResourceGraph): Offering['modalities'] {
  const { Location = [], PractitionerRole = [], HealthcareService = [] } = actors
  const ofActors = PractitionerRole.map((at) => roles[at])
  const offered = [...HealthcareService, ...ofActors.flatMap((role) => role.services ?? [])].map((at) => services[at])
  const numbers = [
    Location,
    ofActors.flatMap((role) => role.locations ?? []),
    offered.flatMap((service) => service.locations ?? []),
  ].find((all) => all.length > 0)
  return modalitiesOf(
    (numbers ?? []).map((at) => defined({ attendance: attendanceOf(locations[at].physicalType ?? []) })),
  )
}
