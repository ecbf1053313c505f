import { form, type ParameterTable, parameter } from '../../../slot/query-parameter.ts'
import { EXAMPLE_FEED_LINE } from '../openapi/examples.ts'
import type { Operation } from '../operation.ts'

/** The media types of files. The first is the standard's; clients of older versions request the others. */
export const FEED_MEDIA_TYPES = ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson']

/** The content of files. */
export const FEED_FILE_CONTENT: Operation['content'] = Object.fromEntries(
  FEED_MEDIA_TYPES.map((type) => [
    type,
    { schema: { type: 'string', description: 'One resource per line.' }, example: EXAMPLE_FEED_LINE },
  ]),
)

/** The values of `_format` for JSON (FHIR R4, RESTful API), and older names. */
const JSON_FORMATS = ['json', 'application/json', 'application/fhir+json', 'text/json', 'application/json+fhir']

/** The parameters of pages of the manifest and of updates. */
export const FEED_PAGE_PARAMETERS: ParameterTable<object> = formatParameter(JSON_FORMATS)

/** The parameters of files. Clients that ask for JSON do so with each request. */
export const FEED_FILE_PARAMETERS: ParameterTable<object> = formatParameter([
  ...JSON_FORMATS,
  'ndjson',
  ...FEED_MEDIA_TYPES,
])

/** In a URL, a plus that is not percent-encoded is a space. */
function formatParameter(formats: readonly string[]): ParameterTable<object> {
  const pattern = new RegExp(`^(?:${formats.join('|').replaceAll('+', '[+ ]')})$`)
  const allowed = `one of ${formats.join(', ')}`
  return {
    _format: parameter({
      description: `Accepted and ignored, because there is one format: ${allowed}.`,
      kind: form(pattern, allowed),
      examples: ['json'],
      put: () => {},
    }),
  }
}
