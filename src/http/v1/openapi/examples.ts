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
  serviceTypes: [{ system: 'http://terminology.hl7.org/CodeSystem/service-type', code: '57', display: 'Immunization' }],
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
  serviceTypes: EXAMPLE_SLOT.serviceTypes,
  totalSlots: 12,
  provider: {
    ...EXAMPLE_SLOT.provider,
    id: 'dr-moe',
    identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1346271483' }],
  },
  location: {
    ...EXAMPLE_SLOT.location,
    id: 'harbor',
    identifier: [{ system: 'https://clinic.example/locations', value: '12' }],
  },
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

export const EXAMPLE_EVENT = `event: added
id: 7x2k9v0a.1c.bk3
data: ${JSON.stringify(EXAMPLE_CHANGES.changes[0])}

`

export const EXAMPLE_MANIFEST = {
  manifestType: 'http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest',
  transactionTime: '2026-06-01T12:00:00.000Z',
  updateCadence: 'PT1M',
  request: 'https://slots.example/v1/fhir/$bulk-publish',
  requiresAccessToken: true,
  outputFormat: 'application/fhir+ndjson',
  output: [
    {
      type: 'Schedule',
      url: 'https://slots.example/v1/fhir/Schedule~7x2k9v0a.1c~k3x0.ndjson',
      count: 12,
      fileSize: 5210,
      extension: {
        state: ['MA'],
        'http://hl7.org/fhir/StructureDefinition/lastSourceSync': {
          'https://clinic.example/$bulk-publish': '2026-06-01T11:58:00.000Z',
        },
      },
    },
    {
      type: 'Slot',
      url: 'https://slots.example/v1/fhir/Slot-MA~7x2k9v0a.1c~k3x0.ndjson',
      count: 1200,
      fileSize: 720412,
      extension: { state: ['MA'] },
    },
  ],
  error: [],
  link: [{ relation: 'next', url: 'https://slots.example/v1/fhir/updates/7x2k9v0a.1c.json' }],
}

export const EXAMPLE_UPDATE_PAGE = {
  ...EXAMPLE_MANIFEST,
  output: [
    {
      type: 'Slot',
      url: 'https://slots.example/v1/fhir/update-files/Slot~7x2k9v0a.1c~1e~k3x0.ndjson',
      count: 60,
      fileSize: 36012,
    },
  ],
  deleted: [
    {
      type: 'Bundle',
      url: 'https://slots.example/v1/fhir/update-files/deleted~7x2k9v0a.1c~1e~k3x0.ndjson',
      count: 1,
      fileSize: 2710,
    },
  ],
  link: [{ relation: 'next', url: 'https://slots.example/v1/fhir/updates/7x2k9v0a.1e.json' }],
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
