/** The values of the import form. */
export interface ImportValues extends Record<string, unknown> {
  slug: string
  file: File | null
  format: string
  timeZone: string
  dateOrder: string
}

export function emptyImport(slug: string): ImportValues {
  return { slug, file: null, format: '', timeZone: '', dateOrder: '' }
}

/** Validators for `useForm`. */
export const importValidation = {
  slug: (slug: string) =>
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug.trim()) ? null : 'Use at most 63 lowercase letters, digits and hyphens',
  file: (file: File | null) => (file === null ? 'Choose a file' : null),
  timeZone: (zone: string) =>
    zone.trim() === '' || isZone(zone.trim()) ? null : 'Enter a name such as America/New_York',
}

/** Whether a report belongs to the current form values. */
export function sameImport(a: ImportValues, b: ImportValues): boolean {
  return (
    a.file === b.file &&
    a.slug === b.slug &&
    a.format === b.format &&
    a.timeZone === b.timeZone &&
    a.dateOrder === b.dateOrder
  )
}

/** A fully uploaded file (`sent` is 1) is imported even if the request is aborted; a dry run can always be stopped. */
export function isStoppable({ dryRun, sent }: { dryRun: boolean; sent: number }): boolean {
  return dryRun || sent < 1
}

/** All time zones that the browser supports. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

function isZone(name: string): boolean {
  try {
    return (name === 'UTC' || name.includes('/')) && new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
