import { z } from 'zod'
import { DashboardProblem, invalidField } from '../../../shared/dashboard-problem.ts'
import { faultOfSlug } from '../../../store/sql/source-form.ts'
import type { ImportReport } from '../../../sync/import/import-report.ts'
import { BodyTruncated } from '../../serialized-http.ts'
import { oneLine, readQuery } from '../read-form.ts'
import { pathPart, type Visit } from '../visit.ts'

/** Takes a file, which is the body, as all that a source has; its parameters say how it is to be understood. */
export async function uploadFile(visit: Visit): Promise<ImportReport> {
  const { account, request } = visit
  const slug = pathPart(visit, 'slug')
  const fault = faultOfSlug(slug)
  if (fault !== undefined) throw invalidField(`The slug ${fault}.`, 'slug')
  const { fileName, dryRun, ...more } = readQuery(request, UPLOAD)
  const source = await account.store.sources.find(slug)
  if (source !== undefined && source.format !== 'files') {
    const message = `${slug} is read from ${source.url}. Import the file under another slug.`
    throw new DashboardProblem('conflict', message, { field: 'slug' })
  }
  const { body } = request.raw
  if (body === null) throw invalidField('The body must be a file.')
  const wish = { slug, by: visit.actor, fileName, dryRun: dryRun === 'true', ...more }
  return account.importUpload(body, wish).catch((error: unknown) => {
    if (error instanceof BodyTruncated)
      throw invalidField('The upload was interrupted before the whole file arrived. Try again.')
    throw error
  })
}

const UPLOAD = z.strictObject({
  fileName: oneLine('The name of the file', 255),
  dryRun: z.enum(['true', 'false'], { error: 'dryRun must be true or false.' }).default('false'),
  format: z.enum(['csv', 'ndjson', 'json'], { error: 'The format must be csv, ndjson or json.' }).optional(),
  timeZone: z
    .string()
    .refine(isZone, 'The time zone must be a name such as America/New_York (IANA), or UTC.')
    .optional(),
  dateOrder: z.enum(['mdy', 'dmy'], { error: 'The order of dates must be mdy or dmy.' }).optional(),
})

/** Whoever reads the file is stricter; this is only to say so before it was read. */
function isZone(name: string): boolean {
  try {
    return (
      (name === 'UTC' || name.includes('/')) && Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
    )
  } catch {
    return false
  }
}
