import { formatLocalTime } from '../demo/local-days.ts'
import type { SampleSlot } from '../demo/sample-feed.ts'
import type { SampleSchedule } from '../demo/sample-schedules.ts'
import { slotId } from '../src/slot/ids.ts'
import type { AcceptingPatients, Modality, Offering, Slot } from '../src/slot/slot.ts'

const MINUTE_MS = 60_000

/** A slot of the sample feed as a connector reads it. */
export function sampleSlot({ schedule, day, startMinute, status }: SampleSlot, offering: Offering): Slot {
  const startMs = day.midnightMs + startMinute * MINUTE_MS
  const minutes = schedule.stepQuarters * 15
  const endMs = startMs + minutes * MINUTE_MS
  return {
    id: slotId(offering.publisher, schedule.id, `${day.number}-${startMinute}`, { startMs, endMs }),
    status,
    start: formatLocalTime(day, startMinute),
    end: formatLocalTime(day, startMinute + minutes),
    startMs,
    endMs,
    bookingDeepLink: `https://booking.example.com/b/${schedule.mixed.toString(36)}`,
    offering,
  }
}

const MODALITIES: Record<SampleSchedule['modality'], readonly Modality[]> = {
  physical: ['in-person'],
  virtual: ['virtual'],
  both: ['in-person', 'virtual'],
}

/** Has providers and all filter values. */
export function sampleOffering({ schedule, startMinute }: SampleSlot): Offering {
  const { site, modality, practitioner, serviceType, specialty, patientType } = schedule
  return {
    publisher: `publisher-${schedule.mixed % 20}`,
    scheduleId: schedule.id,
    serviceTypeCode: serviceType.code,
    appointmentType: startMinute % 60 === 0 ? 'CHECKUP' : 'ROUTINE',
    ...(patientType && { acceptingPatients: patientType as AcceptingPatients }),
    isVirtual: modality !== 'physical',
    modalities: MODALITIES[modality],
    ...(modality !== 'virtual' && { location: locationOf(schedule) }),
    ...(modality !== 'physical' && { serviceStates: site.licensedStates }),
    ...(practitioner && {
      provider: { name: practitioner.family, specialty: specialty.display, npi: practitioner.npi },
    }),
  }
}

function locationOf({ site }: SampleSchedule): Offering['location'] & object {
  return {
    name: site.name,
    phone: [site.phone],
    addressLine: [site.addressLine],
    city: site.city.name,
    state: site.state.code,
    postalCode: site.postalCode,
    latitude: site.latitude,
    longitude: site.longitude,
  }
}
