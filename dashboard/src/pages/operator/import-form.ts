/** What is filled in to import a file. */
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

/** What is wrong with each field, as `useForm` asks for it. */
export const importValidation = {
  slug: (slug: string) =>
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug.trim())
      ? null
      : 'Use lower-case letters, digits and hyphens, 63 at most',
  file: (file: File | null) => (file === null ? 'Choose a file' : null),
  timeZone: (zone: string) =>
    zone.trim() === '' || isZone(zone.trim()) ? null : 'Enter a name such as America/New_York',
}

/** Whether an answer belongs to what is filled in now. */
export function sameImport(a: ImportValues, b: ImportValues): boolean {
  return (
    a.file === b.file &&
    a.slug === b.slug &&
    a.format === b.format &&
    a.timeZone === b.timeZone &&
    a.dateOrder === b.dateOrder
  )
}

/** What has been sent whole, from 0 to 1, is taken in whether or not anybody waits for the answer. */
export function isStoppable({ dryRun, sent }: { dryRun: boolean; sent: number }): boolean {
  return dryRun || sent < 1
}

/** Every zone that this browser knows. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

function isZone(name: string): boolean {
  try {
    return (
      (name === 'UTC' || name.includes('/')) &&
      new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
    )
  } catch {
    return false
  }
}
