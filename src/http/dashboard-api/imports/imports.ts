import { IMPORT_CONTRACT } from '../../../shared/contract/imports.ts'
import { DashboardProblem, invalidField } from '../../../shared/dashboard-problem.ts'
import { slugProblem } from '../../../shared/source-fields.ts'
import { BodyTruncated } from '../../serialized-http.ts'
import { implement } from '../route.ts'

export const importRoutes = implement(IMPORT_CONTRACT, {
  'POST /api/operator/sources/:slug/upload': async ({ context, actor, raw, params: { slug }, query }) => {
    const problem = slugProblem(slug)
    if (problem !== undefined) throw invalidField(`The slug ${problem}.`, 'slug')
    const source = await context.store.sources.find(slug)
    if (source !== undefined && source.format !== 'files') {
      const message = `${slug} is synced from ${source.url}. Import the file under another slug.`
      throw new DashboardProblem('conflict', message, { field: 'slug' })
    }
    const { body } = raw.raw
    if (body === null) throw invalidField('The body must be a file.')
    try {
      const options = { ...query, slug, by: actor, dryRun: query.dryRun === 'true' }
      return await context.importUpload(body, options)
    } catch (error) {
      if (!(error instanceof BodyTruncated)) throw error
      throw invalidField('The upload was interrupted before the whole file arrived. Try again.')
    }
  },
})
