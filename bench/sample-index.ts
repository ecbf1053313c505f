import { formatLocalTime } from '../demo/local-days.ts'
import { SampleFeed, type SampleSlot } from '../demo/sample-feed.ts'
import type { SampleSchedule } from '../demo/sample-schedules.ts'
import { slotId } from '../src/slot/ids.ts'
import { type AcceptingPatients, encodeSlot, type Modality, type Offering } from '../src/slot/slot.ts'
import { primaryBucketOf } from '../src/slot-index/buckets.ts'
import { columnsOf, sortedOrder } from '../src/slot-index/slot-batch.ts'
import { SlotIndex } from '../src/slot-index/slot-index.ts'
import { SlotWindow } from '../src/slot-index/slot-window.ts'

/** Filled like a node that loads everything. */
const WINDOW_SLOTS = 65_536
const MINUTE_MS = 60_000

/** An index of about `slots` sample slots, with providers and all filter values, filled like a node's. */
export function sampleIndex(slots: number, nowMs: number): SlotIndex {
  const index = new SlotIndex()
  const change = index.begin(true, nowMs)
  const feed = new SampleFeed(slots, 1)
  const offerings = new Map<string, { id: number; home: number }>()
  const window = new SlotWindow(WINDOW_SLOTS)
  const starts: number[] = []
  const bits: number[] = []
  const empty = () => {
    for (const batch of window.empty((bytes) => new ArrayBuffer(bytes))) {
      const columns = columnsOf(batch)
      for (const startMs of columns.startsMs) starts.push(startMs)
      for (const word of columns.idBits) bits.push(word)
      for (const _ of change.put(batch));
    }
  }
  for (const { state } of feed.states) {
    for (const slot of feed.slots(state.code, nowMs)) {
      const offering = offeringOf(slot)
      const name = `${offering.scheduleId} ${offering.appointmentType}`
      let known = offerings.get(name)
      if (known === undefined) {
        known = { id: offerings.size + 1, home: primaryBucketOf(offering) }
        offerings.set(name, known)
        for (const _ of change.putOfferings([{ id: known.id, json: JSON.stringify(offering) }]));
      }
      const entry = entryOf(slot, offering, known.id)
      if (window.add(entry, known.home)) continue
      empty()
      window.add(entry, known.home)
    }
  }
  empty()
  for (const _ of change.merge(sortedOrder(Float64Array.from(starts), Uint32Array.from(bits))));
  index.commit(change, { store: 1, revision: 1 })
  return index
}

/** Clears the caches, as any change of the slots does. */
export function forget(index: SlotIndex, nowMs: number): void {
  const change = index.begin(false, nowMs)
  for (const _ of change.merge(new Uint32Array(0)));
  index.commit(change, { store: 1, revision: index.revision + 1 })
}

function entryOf({ schedule, day, startMinute, status }: SampleSlot, offering: Offering, offeringId: number) {
  const startMs = day.midnightMs + startMinute * MINUTE_MS
  const lasts = schedule.stepQuarters * 15
  const endMs = startMs + lasts * MINUTE_MS
  const json = encodeSlot({
    id: slotId(offering.publisher, schedule.id, `${day.number}-${startMinute}`, { startMs, endMs }),
    status,
    start: formatLocalTime(day, startMinute),
    end: formatLocalTime(day, startMinute + lasts),
    startMs,
    endMs,
    bookingDeepLink: `https://booking.example.com/b/${schedule.mixed.toString(36)}`,
    offering,
  })
  return { status, startMs, endMs, offeringId, json }
}

const MODALITIES: Record<SampleSchedule['modality'], readonly Modality[]> = {
  physical: ['in-person'],
  virtual: ['virtual'],
  both: ['in-person', 'virtual'],
}

function offeringOf({ schedule, startMinute }: SampleSlot): Offering {
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
