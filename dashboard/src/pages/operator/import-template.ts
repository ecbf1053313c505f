import { csvTemplate } from '../../../../src/feeds/files/csv-columns.ts'

/** The table to begin with, as an address that can be downloaded. */
export function templateAddress(): string {
  made ??= URL.createObjectURL(new Blob([csvTemplate()], { type: 'text/csv' }))
  return made
}

let made: string | undefined
