import { asObject, type Json } from '../../lib/json.ts'
import { extensions, parseReference, type Target } from './data-types.ts'
import type { ParsedSchedule, ResourceLookup } from './resources.ts'

/** Oracle Health Millennium names the place of a Slot in this extension: Schedules there have no Location. */
export const SCHEDULING_LOCATION = 'scheduling-location'

/** The Location to which an extension `scheduling-location` refers. */
export function schedulingLocation(extension: Json): Target | undefined {
  const target = parseReference(asObject(extension.valueReference) ?? {})
  return target === undefined || (target.type ?? 'Location') !== 'Location' ? undefined : target
}

/** The Location of a Slot by its extension. */
export function schedulingLocationOf(slot: Json): Target | undefined {
  const [extension] = extensions(slot, SCHEDULING_LOCATION)
  return extension && schedulingLocation(extension)
}

/** The Schedule with this place instead of its Locations; unchanged if the place is not in the feed. */
export function scheduleAt<Schedule extends ParsedSchedule>(
  schedule: Schedule,
  place: Target,
  directory: ResourceLookup,
): Schedule {
  const target = { ...place, type: 'Location' }
  if (directory.find('Location', target) === undefined) return schedule
  const others = schedule.actors.filter((actor) => directory.find('Location', actor.target) === undefined)
  return { ...schedule, actors: [{ target }, ...others.filter(({ type }) => type !== 'Location')] }
}
