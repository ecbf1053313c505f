import { readFileSync } from 'node:fs'
import type { ApiContext } from './api-context.ts'

/** What is shown to people at an address, as plain text. */
export type Page = (api: ApiContext) => string

const DOCS = new URL('../../docs/', import.meta.url)

/** The pages that the 401 message leads to. Read once; they belong to the program. */
export const PAGES: Readonly<Record<string, Page>> = {
  '/': front,
  '/docs': () => API_DOCS,
  '/docs/errors': () => ERROR_DOCS,
}

const API_DOCS = readFileSync(new URL('api.md', DOCS), 'utf8')
const ERROR_DOCS = readFileSync(new URL('errors.md', DOCS), 'utf8')

function front({ baseUrl, docsUrl }: ApiContext): string {
  return `Scheduling Slots: bookable health-care appointment slots of many publishers, behind one API.

    curl -H "Authorization: Bearer <API_KEY>" "${baseUrl}/v1/scheduling/slots?state=MA&isVirtual=true"

Keys are free. Until there is a dashboard here, whoever runs this service makes them:

    npm run -s slots -- org create "<organization>"
    npm run -s slots -- key create --org "<organization>"

Documentation: ${docsUrl}
`
}
