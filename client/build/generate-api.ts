import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../src/http/v1/openapi/document.ts'

/** `npm run client:api`: writes the types of the API anew, from the document that the service publishes. */
export const API_FILE = join(import.meta.dirname, '../src/api.ts')

const HEADER = `// Written by \`npm run client:api\` out of /openapi.json: not to be edited.\n\n`

/** The text of the file as the document gives it now. */
export async function apiTypes(): Promise<string> {
  const document = openApiDocument({
    baseUrl: 'https://slots.example',
    docsUrl: 'https://slots.example/docs',
    dashboardUrl: 'https://slots.example/dashboard',
    version: '0',
  })
  return HEADER + astToString(await openapiTS(withoutAnswers(document as OpenAPI3)))
}

/** Headers and failures are the client's own work: only what is asked for, and the schemas, matter to those who use it. */
function withoutAnswers(document: OpenAPI3): OpenAPI3 {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    if (!('get' in item) || item.get === undefined || '$ref' in item.get)
      throw new Error(`Cannot describe ${path}: its operation must be a GET of its own`)
    const { operationId, summary, description, parameters } = item.get
    return [path, { get: { operationId, summary, description, parameters } }]
  })
  const components = { schemas: document.components?.schemas }
  return { ...document, paths: Object.fromEntries(paths), components } as OpenAPI3
}

if (import.meta.main) await writeFile(API_FILE, await apiTypes())
