import { IMPORT_CONTRACT } from '../../../shared/contract/imports.ts'
import { conflict, invalidField } from '../../../shared/dashboard-problem.ts'
import { slugProblem } from '../../../shared/source-fields.ts'
import { BodyTruncated } from '../../serialized-http.ts'
import { authorize, implement } from '../route.ts'

const UPLOAD = 'POST /api/operator/sources/:slug/upload'

export const importRoutes = implement(IMPORT_CONTRACT, {
  [UPLOAD]: async ({ context, actor, raw, params: { slug }, query }) => {
    const problem = slugProblem(slug)
    if (problem !== undefined) throw invalidField(`The slug ${problem}.`, 'slug')
    const source = await context.store.sources.find(slug)
    if (source !== undefined && source.format !== 'files')
      throw conflict(`${slug} is synced from ${source.url}. Import the file under another slug.`, 'slug')
    const { body } = raw.raw
    if (body === null) throw invalidField('The body must be a file.')
    try {
      const options = { ...query, slug, by: actor, dryRun: query.dryRun === 'true' }
      const file = thenChecked(body, () => authorize(IMPORT_CONTRACT[UPLOAD], raw, context))
      return await context.importUpload(file, options)
    } catch (error) {
      if (!(error instanceof BodyTruncated)) throw error
      throw invalidField('The upload was interrupted before the whole file arrived. Try again.')
    }
  },
})

/** A file that cannot be read to its end if the check fails then: an upload may outlast the session or the role of its sender. */
async function* thenChecked(body: AsyncIterable<Uint8Array>, check: () => Promise<unknown>) {
  yield* body
  await check()
}
