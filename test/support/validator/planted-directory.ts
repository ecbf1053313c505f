import { GUIDE_ROOT, OLD_ROOT } from '../../../src/validator/extensions.ts'
import { DRAFT, extension, first, OLDER, type Plant, set, slot } from './plant.ts'

const OF_EXTENSIONS: readonly Plant[] = [
  slot('extension-value', extension('booking-phone', {})),
  slot(
    'extension-url',
    extension('booking-phone', {
      url: 'http://publisher.example/booking-phone',
      valueContactPoint: { system: 'phone', value: '413-555-0100' },
    }),
  ),
  slot('extension-name', (one) =>
    one.extension.push({ url: `${GUIDE_ROOT}booking-link`, valueUrl: 'https://publisher.example' }),
  ),
  first('Schedule', 'extension-place', (one) =>
    one.extension.push({ url: `${GUIDE_ROOT}booking-deep-link`, valueUrl: 'https://publisher.example' }),
  ),
  slot('extension-repeated', (one) => one.extension.push(one.extension[0])),
  slot(
    'extension-of-the-guide',
    extension('booking-phone', {
      url: `${OLD_ROOT}booking-phone`,
      valueContactPoint: { system: 'phone', value: '413-555-0100' },
    }),
  ),
  slot('extension-url', (one) => {
    one.extension[0].url += '/'
  }),
  slot('extension-name', (one) => {
    one.extension[0].url = 'https://publisher.example/bookingDeepLink'
  }),
  ...['http://localhost:3000/book', 'https://10.0.0.1/book', 'https://intranet/book'].map((valueUrl) =>
    slot('booking-deep-link-leads', extension('booking-deep-link', { valueUrl })),
  ),
  ...[
    `https://book.publisher.example/${'$'}{slot}`,
    'https://book.publisher.example/?id=undefined',
    'https://book.publisher.example/%SLOT_ID%',
    'https://book.publisher.example/?id=None',
    'https://book.publisher.example/{slot-id}',
    'https://book.publisher.example/<slot-id>',
  ].map((valueUrl) => slot('booking-deep-link-leads', extension('booking-deep-link', { valueUrl }))),
  slot('booking-deep-link-secure', extension('booking-deep-link', { valueUrl: 'http://book.publisher.example/2' })),
  slot('booking-deep-link-example', extension('booking-deep-link', { valueUrl: 'https://book.example.com/2' })),
  slot(
    'slot-capacity-none',
    (one) => {
      one.status = 'free'
      extension('slot-capacity', { valueInteger: 0 })(one)
    },
    OLDER,
  ),
  first('Schedule', 'schedule-specialty-coding', extension('specialty', { valueString: 'General' }), DRAFT),
  slot('booking-deep-link-url', extension('booking-deep-link', { valueUrl: 'javascript:alert(1)' })),
  slot('booking-deep-link-type', extension('booking-deep-link', { valueString: 'https://publisher.example' })),
  slot(
    'booking-phone-number',
    extension('booking-phone', { valueContactPoint: { system: 'phone', value: 'ask at the desk' } }),
  ),
  ...['(609) 877-700', '000-000-0000', '+1 413 155 0100'].map((value) =>
    slot('booking-phone-digits', extension('booking-phone', { valueContactPoint: { system: 'phone', value } })),
  ),
  slot(
    'booking-phone-string',
    extension('booking-phone', { valueContactPoint: { system: 'phone', value: '413-555-0100' } }),
    OLDER,
  ),
  slot('booking-phone-contact-point', extension('booking-phone', { valueString: '413-555-0100' })),
  slot('slot-capacity-number', extension('slot-capacity', { valueInteger: -1 }), OLDER),
  slot('slot-capacity-type', extension('slot-capacity', { valueString: '3' }), OLDER),
  slot('slot-capacity-of-2021', (one) => one.extension.push({ url: `${OLD_ROOT}slot-capacity`, valueInteger: 3 })),
  slot('patient-type-code', extension('patient-type', { valueCoding: { system: 'urn:x', code: 'new' } })),
  slot('patient-type-coding', extension('patient-type', { valueCode: 'newpt' })),
  slot('patient-type-system', extension('patient-type', { valueCoding: { system: 'urn:x', code: 'newpt' } })),
  slot('patient-type-closed', extension('patient-type', { valueCoding: { system: 'urn:x', code: 'nopt' } })),
  {
    rule: 'licensed-states-code',
    at: ['Location', 2],
    plant: (feed) => extension('licensed-states', { valueString: 'Ontario' })(feed.resource('Location', 1)),
  },
  {
    rule: 'licensed-states-string',
    at: ['Location', 2],
    plant: (feed) => extension('licensed-states', { valueString: 'MA, NH' })(feed.resource('Location', 1)),
  },
  first(
    'Schedule',
    'schedule-specialty-coding',
    extension('schedule-specialty', { valueCoding: { display: 'General medicine' } }),
  ),
  first('Schedule', 'specialty-renamed', (one) =>
    one.extension.push({ url: `${OLD_ROOT}specialty`, valueCoding: { system: 'urn:x', code: '1' } }),
  ),
  first('Schedule', 'vaccine-product-coding', extension('vaccine-product', { valueCoding: { code: null } }), OLDER),
  {
    rule: 'vaccine-dose-number',
    generation: OLDER,
    at: ['Schedule', 2],
    plant: (feed) => extension('vaccine-dose', { valueInteger: 9 })(feed.resource('Schedule', 1)),
  },
]

const OF_THE_DIRECTORY: readonly Plant[] = [
  first('Schedule', 'schedule-actor-location', (one) => one.actor.push({ reference: 'Location/l2' }), OLDER),
  first('Schedule', 'schedule-actor-followed', (one) => one.actor.push({ reference: 'Device/d1' })),
  first('Schedule', 'schedule-service-type', (one) => delete one.serviceType),
  first('Schedule', 'schedule-service-type-coding', set({ serviceType: [{ system: 'urn:x', code: '124' }] })),
  first('Schedule', 'schedule-inactive', set({ active: false })),
  first('Schedule', 'reference-dangling', (one) => one.actor.push({ reference: 'Location/gone' })),
  {
    rule: 'schedule-actor-display',
    at: ['Schedule', 1],
    plant: (feed) => {
      feed.resource('Schedule').actor[0].display = 'Oak Avenue Clinic'
    },
  },
  {
    rule: 'schedule-actor-display',
    at: ['Schedule', 1],
    plant: (feed) => {
      feed.resource('Schedule').actor[0].display = feed.resource('Location', 1).name
    },
  },
  first('Schedule', 'schedule-without-place', set({ actor: [{ reference: 'Practitioner/p1' }] }), DRAFT),
  {
    rule: 'schedule-unused',
    at: ['Schedule', 3],
    plant: (feed) => void feed.files.Schedule?.push({ ...feed.resource('Schedule'), id: 's9' }),
  },
  {
    rule: 'resource-unused',
    at: ['Location', 3],
    plant: (feed) => void feed.files.Location?.push({ ...feed.resource('Location'), id: 'l9' }),
  },
]

const OF_LOCATIONS: readonly Plant[] = [
  first('Location', 'location-name', (one) => delete one.name),
  first('Location', 'location-telecom', (one) => delete one.telecom),
  first('Location', 'location-telecom-system', (one) => one.telecom.push({ value: '413-555-0100' })),
  first('Location', 'location-telecom-both', (one) => void one.telecom.pop(), OLDER),
  first('Location', 'location-phone', (one) => {
    one.telecom[0].value = 'javascript:alert(111)'
  }),
  first('Location', 'location-phone-digits', (one) => {
    one.telecom[0].value = '(609) 877-700'
  }),
  first('Location', 'location-phone-digits', (one) => {
    one.telecom[0].value = '000-000-0000'
  }),
  first('Location', 'location-website', (one) => {
    one.telecom[1].value = 'clinic.publisher.example'
  }),
  first('Location', 'location-identifier', (one) => delete one.identifier, OLDER),
  first('Location', 'location-address', (one) => delete one.address.city),
  first('Location', 'location-state', (one) => {
    one.address.state = 'Massachussetts'
  }),
  first('Location', 'location-state-code', (one) => {
    one.address.state = 'Mass.'
  }),
  first('Location', 'location-country', (one) => {
    one.address.country = 'MX'
    one.address.state = 'Jalisco'
  }),
  first('Location', 'location-postal-code-zero', (one) => {
    one.address.postalCode = '1201-7223'
  }),
  first('Location', 'location-postal-code', (one) => {
    one.address.postalCode = '0120172'
  }),
  first('Location', 'location-postal-code', (one) => {
    one.address.postalCode = '00000'
  }),
  first('Location', 'location-postal-code-state', (one) => {
    one.address.postalCode = '90210'
  }),
  first('Location', 'location-position', set({ position: { latitude: 142.45, longitude: -73.25 } })),
  first('Location', 'location-position-elsewhere', set({ position: { latitude: 42.45, longitude: 73.25 } })),
  first('Location', 'location-physical-type', set({ physicalType: { text: 'Building' } })),
  {
    rule: 'location-virtual-states',
    without: ['schedule-without-place'],
    at: ['Location', 2],
    plant: (feed) => void delete feed.resource('Location', 1).extension,
  },
  {
    rule: 'location-virtual-address',
    at: ['Location', 2],
    plant: (feed) => {
      feed.resource('Location', 1).address = { line: ['173 Elm St'], city: 'Pittsfield', state: 'MA' }
    },
  },
  first('Location', 'location-mode', set({ mode: 'kind' })),
  first('Location', 'location-inactive', set({ status: 'inactive' })),
]

const OF_PEOPLE: readonly Plant[] = [
  first('PractitionerRole', 'role-practitioner', (one) => delete one.practitioner),
  first('PractitionerRole', 'role-ended', set({ period: { start: '2019-01-01', end: '2020' } })),
  first('PractitionerRole', 'people-inactive', set({ active: false })),
  first('Practitioner', 'people-inactive', set({ active: false })),
  first('HealthcareService', 'people-inactive', set({ active: false })),
  first('Practitioner', 'practitioner-name', (one) => delete one.name),
  first('Practitioner', 'practitioner-identifier', (one) => delete one.identifier),
  first('HealthcareService', 'service-profile', (one) => delete one.active),
]

const OF_FEEDS: readonly Plant[] = [
  {
    rule: 'feed-nothing-served',
    at: ['feed'],
    plant: ({ files }) => {
      files.Slot = []
    },
  },
  {
    rule: 'feed-nothing-ahead',
    at: ['feed'],
    plant: ({ files }) => {
      for (const one of files.Slot ?? [])
        set({ start: '2026-05-10T11:00:00-04:00', end: '2026-05-10T11:20:00-04:00' })(one)
    },
  },
  {
    rule: 'feed-nothing-free',
    at: ['feed'],
    plant: ({ files }) => {
      for (const one of files.Slot ?? []) one.status = 'busy'
    },
  },
  {
    rule: 'feed-without-states',
    at: ['feed'],
    plant: (feed) => void delete feed.resource('Location', 1).extension,
  },
  {
    rule: 'feed-one-link',
    at: ['feed'],
    plant: ({ files }) => {
      for (const one of files.Slot ?? []) extension('booking-deep-link', { valueUrl: 'https://publisher.example' })(one)
    },
  },
  {
    rule: 'feed-mixed',
    at: ['feed'],
    plant: (feed) => feed.resource('Slot', 1).extension.push({ url: `${OLD_ROOT}slot-capacity`, valueInteger: 3 }),
  },
]

/** One error for each rule about extensions, the directory and the whole feed. */
export const DIRECTORY_PLANTS: readonly Plant[] = [
  ...OF_EXTENSIONS,
  ...OF_THE_DIRECTORY,
  ...OF_LOCATIONS,
  ...OF_PEOPLE,
  ...OF_FEEDS,
]
