import type { ContractService } from './contract-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: slots are walked as they are served.
type Served = any

/** The values that occur in slots, by parameter: with random values, most responses would be empty. */
export function occurringValues({
  slots,
  revisions,
  cursors,
  files,
  updatePages,
  updateFiles,
}: Pick<ContractService, 'slots' | 'revisions' | 'cursors' | 'files' | 'updatePages' | 'updateFiles'>): Readonly<
  Record<string, string[]>
> {
  const of = (read: (slot: Served) => unknown) => [...new Set(slots.flatMap((slot) => read(slot) ?? []).map(String))]
  return {
    id: of(({ id }) => id),
    state: of(({ location, serviceStates = [] }) => [location?.state ?? [], serviceStates].flat()),
    startAfter: of(({ start }) => start),
    startBefore: of(({ start }) => start),
    minDurationMinutes: ['15', '30', '60', '960'],
    serviceTypeCode: of(({ serviceTypes = [] }) => serviceTypes.flatMap(({ code = [] }: Served) => code)),
    appointmentType: of(({ appointmentType }) => appointmentType),
    city: of(({ location }) => [location?.city ?? [], location?.city?.toUpperCase() ?? []].flat()),
    postalCode: of(({ location }) => [location?.postalCode?.slice(0, 3) ?? [], location?.postalCode ?? []].flat()),
    near: of(({ location }) => (location?.latitude === undefined ? [] : `${location.latitude},${location.longitude}`)),
    specialty: of(({ provider }) => provider?.specialty),
    providerNpi: of(({ provider }) => provider?.npi),
    publisher: of(({ publisher }) => publisher),
    scheduleId: of(({ scheduleId }) => scheduleId),
    limit: ['1', '7', '100'],
    offset: ['0', '5', '60'],
    cursor: ['', ...cursors],
    file: [...files],
    page: [...updatePages],
    updateFile: [...updateFiles],
    since: [...revisions],
    timeZone: ['America/New_York', 'UTC', 'Asia/Kathmandu', 'etc/gmt+5'],
  }
}
