import { formatLocalTime } from '../demo/local-days.ts'
import { mix } from '../demo/mix.ts'
import { GUIDE } from '../demo/sample-directory.ts'
import type { SampleSlot } from '../demo/sample-feed.ts'
import type { SampleSchedule, SampleSite, SampleState } from '../demo/sample-schedules.ts'

/** The resources that slots of the benchmark feed refer to. */
export const BENCH_DIRECTORY_TYPES = ['Location', 'Schedule'] as const
export type BenchDirectoryType = (typeof BENCH_DIRECTORY_TYPES)[number]

/**
 * The locations and times of the sample feed with less text, so that a page of 25 slots has about 15 kB: one Location, in person or
 * virtual, a service, a specialty, a link, and whether new patients are accepted; no practitioner, no website, no phone except the
 * Location's.
 *
 * Returns NDJSON lines without line breaks.
 */
export function* benchDirectory(type: BenchDirectoryType, states: readonly SampleState[]): Generator<string> {
  const written = new Set<string>()
  for (const { schedules } of states) {
    for (const schedule of schedules) {
      const resource = type === 'Location' ? location(schedule) : calendar(schedule)
      if (written.has(resource.id)) continue
      written.add(resource.id)
      yield JSON.stringify({ resourceType: type, ...resource })
    }
  }
}

/** A line of a Slot file, without its line break. */
export function formatBenchSlot({ schedule, day, startMinute, status }: SampleSlot): string {
  const scheduleId = shortId(schedule)
  const id = `${scheduleId}-${day.number}-${startMinute}`
  const booking = mix(schedule.mixed, day.number * 1440 + startMinute)
    .toString(36)
    .padStart(7, '0')
  const end = startMinute + schedule.stepQuarters * 15
  let line = `{"resourceType":"Slot","id":"${id}","schedule":{"reference":"Schedule/${scheduleId}"}`
  line += `,"status":"${status}","start":"${formatLocalTime(day, startMinute)}","end":"${formatLocalTime(day, end)}"`
  line += `,"extension":[{"url":"${GUIDE}/booking-deep-link","valueUrl":"https://booking.example.com/b/${booking}"}`
  if (schedule.patientType === 'newpt') line += NEW_PATIENTS
  return `${line}]}`
}

const NEW_PATIENTS = `,{"url":"${GUIDE}/patient-type","valueCoding":{"code":"newpt"}}`

interface Resource {
  readonly id: string
  readonly [field: string]: unknown
}

function location({ site, modality }: SampleSchedule): Resource {
  return modality === 'virtual' ? virtualLocation(site) : physicalLocation(site)
}

function physicalLocation(site: SampleSite): Resource {
  return {
    id: `site-${site.id}`,
    name: site.name.slice(0, -site.city.name.length - 1),
    telecom: [{ system: 'phone', value: site.phone }],
    address: {
      line: [site.addressLine],
      city: site.city.name,
      state: site.state.code,
      postalCode: site.postalCode,
    },
    position: { latitude: site.latitude, longitude: site.longitude },
  }
}

function virtualLocation(site: SampleSite): Resource {
  return {
    id: `virtual-${site.id}`,
    name: `${site.name}, virtual visits`,
    physicalType: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/location-physical-type', code: 'vi' }],
    },
    extension: site.licensedStates.map((state) => ({ url: `${GUIDE}/licensed-states`, valueString: state })),
  }
}

function calendar(schedule: SampleSchedule): Resource {
  const { site, modality, serviceType, specialty } = schedule
  const place = modality === 'virtual' ? `virtual-${site.id}` : `site-${site.id}`
  return {
    id: shortId(schedule),
    actor: [{ reference: `Location/${place}` }],
    serviceType: [{ coding: [{ system: serviceType.system, code: serviceType.code }] }],
    specialty: [{ coding: [specialty] }],
  }
}

/** `CA-12` of `schedule-CA-12`. */
function shortId({ id }: SampleSchedule): string {
  return id.slice('schedule-'.length)
}
