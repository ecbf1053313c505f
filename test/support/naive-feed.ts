import { slotId } from '../../src/slot/ids.ts'

/** A slot of a sample feed. */
export interface NaiveSlot {
  readonly id: string
  readonly status: string
  readonly startMs: number
  /** Where it can be attended virtually and in person; undefined if it cannot. */
  readonly virtualStates: ReadonlySet<string> | undefined
  readonly inPersonStates: ReadonlySet<string> | undefined
}

interface Resource {
  readonly resourceType: string
  readonly id: string
  readonly [field: string]: unknown
}

/** Loads whole files and joins them by look-up. Slow on purpose, and for valid feeds only. */
export async function naiveSlots(manifestUrl: string, publisher: string): Promise<NaiveSlot[]> {
  const resources = new Map<string, Resource>()
  const manifest = JSON.parse(await (await fetch(manifestUrl)).text())
  for (const { url } of manifest.output) {
    const text = await (await fetch(url)).text()
    for (const line of text.trimEnd().split('\n')) {
      const resource: Resource = JSON.parse(line)
      resources.set(`${resource.resourceType}/${resource.id}`, resource)
    }
  }
  return [...resources.values()]
    .filter(({ resourceType }) => resourceType === 'Slot')
    .map((slot) => naiveSlot(slot, resources, publisher))
}

/** The slots that a list must return: of one status, in order, optionally of one state and service mode. */
export function naiveSelect(
  slots: readonly NaiveSlot[],
  wanted: { status: string; state?: string; isVirtual?: boolean },
): NaiveSlot[] {
  return slots
    .filter(({ status }) => status === wanted.status)
    .filter(({ virtualStates, inPersonStates }) => {
      const ofModes = [wanted.isVirtual !== false && virtualStates, wanted.isVirtual !== true && inPersonStates]
      return ofModes.some((states) => states && (wanted.state === undefined || states.has(wanted.state)))
    })
    .sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
}

// biome-ignore lint/suspicious/noExplicitAny: the parsed resources have any shape.
type Published = any

function naiveSlot(slot: Published, resources: ReadonlyMap<string, Published>, publisher: string): NaiveSlot {
  const schedule = resources.get(slot.schedule.reference)
  const actors = schedule.actor.map((actor: Published) => resources.get(actor.reference))
  const roles = actors.filter((actor: Published) => actor.resourceType !== 'Location')
  const near = actors.filter((actor: Published) => actor.resourceType === 'Location')
  const byRole = roles.flatMap((role: Published) =>
    role.location.map((each: Published) => resources.get(each.reference)),
  )
  const isRemote = (location: Published) => location.physicalType.coding[0].code === 'vi'
  const onSite = near.filter((location: Published) => !isRemote(location))
  const startMs = Date.parse(slot.start)
  return {
    id: slotId(publisher, schedule.id, slot.id, { startMs, endMs: Date.parse(slot.end) }),
    status: slot.status,
    startMs,
    virtualStates: near.some(isRemote) ? new Set([...near, ...byRole].flatMap(statesOf)) : undefined,
    inPersonStates: onSite.length > 0 ? new Set(onSite.flatMap(statesOf)) : undefined,
  }
}

function statesOf(location: Published): string[] {
  const licensed = (location.extension ?? []).map((extension: Published) => extension.valueString)
  return location.address === undefined ? licensed : [location.address.state, ...licensed]
}
