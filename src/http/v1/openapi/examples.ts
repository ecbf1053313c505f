// Fictional examples of responses, for the OpenAPI document.

export const EXAMPLE_SLOT = {
  id: '0g3f8k2m5q7r9s1t4v6a8c0e',
  status: 'free',
  start: '2026-06-01T09:00:00-04:00',
  end: '2026-06-01T09:15:00-04:00',
  bookingDeepLink: 'https://booking.example.com/b/1f0c2x',
  publisher: 'sample',
  scheduleId: 'schedule-MA-0',
  serviceTypeCode: '57',
  serviceTypeText: 'Immunization',
  isVirtual: false,
  modalities: ['in-person'],
  location: {
    name: 'Harbor Clinic',
    phone: ['617-555-0101'],
    addressLine: ['1 Main Street'],
    city: 'Boston',
    state: 'MA',
    postalCode: '02108',
    latitude: 42.36,
    longitude: -71.06,
  },
  provider: { name: 'Mary Moe', specialty: 'Family Medicine', npi: '1346271483' },
}

export const EXAMPLE_ACTOR = {
  key: '0g3f8k2m5q7r9s1t4v6a8c0e',
  publisher: EXAMPLE_SLOT.publisher,
  serviceTypes: [{ code: EXAMPLE_SLOT.serviceTypeCode, display: EXAMPLE_SLOT.serviceTypeText }],
  totalSlots: 12,
  provider: EXAMPLE_SLOT.provider,
  location: EXAMPLE_SLOT.location,
  isVirtual: false,
  nextAvailableStart: EXAMPLE_SLOT.start,
}

export const EXAMPLE_FACETS = {
  total: 3,
  state: [{ value: 'MA', count: 3 }],
  isVirtual: { true: 1, false: 2 },
  serviceType: [{ code: '57', display: 'Immunization', count: 3 }],
  specialty: [{ value: 'Family Medicine', count: 2 }],
  day: [{ date: '2026-06-01', count: 3 }],
  others: { state: 0, serviceType: 0, specialty: 0, day: 0 },
}

export const EXAMPLE_PUBLISHER = {
  publisher: 'sample',
  name: 'Sample Clinics',
  slots: { free: 1200, busy: 300, 'busy-unavailable': 0, 'busy-tentative': 0 },
  lastSyncAt: '2026-06-01T12:00:00.000Z',
  publishedAt: '2026-06-01T11:58:00.000Z',
  changedAt: '2026-06-01T11:40:00.000Z',
  nextSyncAt: '2026-06-01T12:05:00.000Z',
  status: 'healthy',
}

export const EXAMPLE_CHANGES = {
  changes: [
    { change: 'added', slot: EXAMPLE_SLOT },
    { change: 'removed', id: '1h4g9l3n6r8s0t2u5v7b9d1f', start: '2026-06-01T09:30:00-04:00' },
  ],
  revision: '7x2k9v0a.1d',
}

export const EXAMPLE_MANIFEST = {
  transactionTime: '2026-06-01T12:00:00.000Z',
  request: 'https://slots.example/v1/fhir/$bulk-publish',
  requiresAccessToken: true,
  outputFormat: 'application/fhir+ndjson',
  output: [
    { type: 'Location', url: 'https://slots.example/v1/fhir/Location~7x2k9v0a.1c.ndjson' },
    {
      type: 'Slot',
      url: 'https://slots.example/v1/fhir/Slot-MA~7x2k9v0a.1c.ndjson',
      extension: { state: ['MA'] },
    },
  ],
  error: [],
}

export const EXAMPLE_FEED_LINE = `${JSON.stringify({
  resourceType: 'Slot',
  id: EXAMPLE_SLOT.id,
  status: 'free',
  start: '2026-06-01T09:00:00-04:00',
  end: '2026-06-01T09:15:00-04:00',
  meta: { source: 'https://slots.example/v1/scheduling/slots?publisher=sample' },
  schedule: { reference: 'Schedule/5e8t0n1c3f4h6j7l9m2o4q6s' },
})}\n`
