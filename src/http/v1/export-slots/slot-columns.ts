import { csvCell } from '../../../lib/csv.ts'
import type { Offering } from '../../../slot/slot.ts'

/** The columns that are a slot's own, as they stand in its JSON. */
export const OWN_COLUMNS = ['id', 'status', 'start', 'end', 'bookingDeepLink', 'capacity'] as const

type Cell = string | number | boolean | readonly string[] | undefined

/** The columns that slots share by their offering, in order: what the field of that name says. */
const SHARED_COLUMNS: Readonly<Record<string, (offering: Offering) => Cell>> = {
  publisher: ({ publisher }) => publisher,
  scheduleId: ({ scheduleId }) => scheduleId,
  serviceTypeCode: ({ serviceTypeCode }) => serviceTypeCode,
  serviceTypeText: ({ serviceTypeText }) => serviceTypeText,
  appointmentType: ({ appointmentType }) => appointmentType,
  acceptingPatients: ({ acceptingPatients }) => acceptingPatients,
  bookingPhone: ({ bookingPhone }) => bookingPhone,
  isVirtual: ({ isVirtual }) => isVirtual,
  modalities: ({ modalities }) => modalities,
  'location.name': ({ location }) => location?.name,
  'location.phone': ({ location }) => location?.phone,
  'location.website': ({ location }) => location?.website,
  'location.addressLine': ({ location }) => location?.addressLine,
  'location.city': ({ location }) => location?.city,
  'location.state': ({ location }) => location?.state,
  'location.postalCode': ({ location }) => location?.postalCode,
  'location.latitude': ({ location }) => location?.latitude,
  'location.longitude': ({ location }) => location?.longitude,
  serviceStates: ({ serviceStates }) => serviceStates,
  'provider.name': ({ provider }) => provider?.name,
  'provider.specialty': ({ provider }) => provider?.specialty,
  'provider.npi': ({ provider }) => provider?.npi,
}

/** Every column, in order. */
export const COLUMNS: readonly string[] = [...OWN_COLUMNS, ...Object.keys(SHARED_COLUMNS)]

/** The cells that slots of an offering share: a comma ahead of each, and the line's end. */
export function sharedCells(offering: Offering): string {
  let cells = ''
  for (const cellOf of Object.values(SHARED_COLUMNS)) cells += `,${format(cellOf(offering))}`
  return `${cells}\r\n`
}

/** Numbers and our own words are no formulas. */
function format(cell: Cell): string {
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  return csvCell(typeof cell === 'string' || cell === undefined ? cell : cell.join('; '))
}
