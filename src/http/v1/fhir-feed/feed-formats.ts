import { oneOf, type ParameterTable, parameter } from '../../../slot/query-parameter.ts'

/** The media types of files. The first is the standard's; clients of older versions request the others. */
export const FEED_MEDIA_TYPES = ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson']

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

function formatParameter(formats: readonly string[]): ParameterTable<object> {
  const kind = oneOf(formats)
  return {
    _format: parameter({
      description: 'Accepted and ignored: there is one format.',
      kind: { ...kind, parse: (text) => kind.parse(mediaTypeOf(text)) },
      examples: ['json'],
      put: () => {},
    }),
  }
}

/** In lower case, without parameters. A plus that was not percent-encoded arrives as a space. */
function mediaTypeOf(text: string): string {
  const [type = ''] = text.toLowerCase().split(';')
  return type.trim().replace(' ', '+')
}
