import packageJson from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../src/http/v1/openapi/document.ts'
import { BASE_URL_MARK } from './links.ts'
import { codeLine, fence, objectTable, type Schema, table, typeText } from './reference-tables.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example: unknown
}

interface Reply {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
}

interface ApiOperation {
  readonly summary: string
  readonly description: string
  readonly tags: readonly [string]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: NonNullable<Reply['content']> }
  readonly responses: Readonly<Record<string, Reply>>
}

/** The parts of the OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
    readonly responses: Readonly<Record<string, Reply>>
  }
}

/** The document of `/openapi.json`, with placeholders for the addresses that the service replaces. */
export function servedDocument(): ApiDocument {
  const addresses = { baseUrl: BASE_URL_MARK, docsUrl: `${BASE_URL_MARK}/docs`, dashboardUrl: `${BASE_URL_MARK}/app` }
  return openApiDocument({ ...addresses, version: packageJson.version }) as ApiDocument
}

/**
 * The API reference as Markdown, so that it is a page like the others: with headings for *On this page* and the search, tabs of
 * code, and its own `.md`. One section for each operation, one for each object, one for the headers.
 */
export function referenceMarkdown(document: ApiDocument): string {
  const { info, tags, paths, components } = document
  const groups = tags.map(({ name, description }) => {
    const operations = operationsOf({ paths }).filter(({ operation }) => operation.tags[0] === name)
    const sections = operations.map((each) => operationSection(each, components.responses))
    return `## ${name}\n\n${description}\n\n${sections.join('\n')}`
  })
  const objects = Object.entries(components.schemas).map(([name, schema]) => `### ${name}\n\n${objectTable(schema)}\n`)
  const headers = Object.entries(components.headers).map(([name, { description }]) => [codeLine(name), description])
  return `${info.description}

${groups.join('\n')}
## Objects

The objects of responses. A property that is not required is absent if the publisher does not provide it.

${objects.join('\n')}
## Response headers

${table(['Header', 'Description'], headers)}`
}

/** The operations of all paths. `method` is in capitals. */
export function operationsOf({ paths }: Pick<ApiDocument, 'paths'>): Operation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

function operationSection(
  { method, path, operation }: Operation,
  shared: ApiDocument['components']['responses'],
): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {})
  const rows = parameters.map((each) => [
    `${codeLine(each.name)}${each.required ? ' required' : ''}`,
    `${each.in === 'path' ? 'In the path. ' : ''}${each.description} Example: ${codeLine(exampleText(each.example))}`,
    typeText(each.schema),
  ])
  return `### ${summary}

\`${method} ${path}\`

${description}

${samples({ method, url: exampleUrl(path, parameters), body: body && JSON.stringify(body.example) })}
${body === undefined ? '' : `**Request body**: ${codeLine(type ?? '')} ${typeText(body.schema)}\n\n${fence('json', JSON.stringify(body.example, null, 2))}\n`}
${rows.length === 0 ? '' : `**Parameters**\n\n${table(['Parameter', 'Description', 'Type'], rows)}\n`}
**Responses**

${table(['Status', 'Description', 'Body'], responseRows(responses, shared))}
${exampleOf(responses)}`
}

function responseRows(
  responses: ApiOperation['responses'],
  shared: ApiDocument['components']['responses'],
): string[][] {
  return Object.entries(responses).map(([status, reply]) => {
    const { description = '', content = {}, headers = {} } = shared[lastPart(reply.$ref)] ?? reply
    const bodies = Object.entries(content).map(([type, { schema }]) => `${codeLine(type)} ${typeText(schema)}`)
    const isFailure = Number(status) >= 400
    const names =
      isFailure || Object.keys(headers).length === 0
        ? ''
        : ` Headers: ${Object.keys(headers).map(codeLine).join(', ')}.`
    const link = isFailure ? ` [Errors](../errors.md)` : ''
    return [codeLine(status), `${description}${names}${link}`, bodies.join('; ') || 'none']
  })
}

function exampleOf(responses: ApiOperation['responses']): string {
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
  const [[type, example] = []] = Object.entries(responses[success]?.content ?? {}).map(
    ([type, { example }]) => [type, example] as const,
  )
  if (type === undefined || example === undefined) return ''
  const text = typeof example === 'string' ? example.trimEnd() : JSON.stringify(example, null, 2)
  return `**Example response**\n\n${fence(typeof example === 'string' ? '' : 'json', text)}`
}

/** The URL with path and required parameters; of lists, with one filter and a small page. */
function exampleUrl(path: string, parameters: readonly Parameter[]): string {
  const ofPath = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(exampleText(parameters.find((each) => each.name === name)?.example)),
  )
  const shown = parameters.filter(
    ({ name, in: place, required }) =>
      place === 'query' && (required || (path.startsWith('/v1/scheduling') && IN_EXAMPLES.has(name))),
  )
  const query = new URLSearchParams(shown.map(({ name, example }) => [name, exampleText(example)])).toString()
  return `${BASE_URL_MARK}${ofPath}${query && `?${query}`}`
}

const IN_EXAMPLES = new Set(['state', 'isVirtual'])

function exampleText(example: unknown): string {
  return Array.isArray(example) ? String(example[0]) : String(example)
}

interface SampleRequest {
  readonly method: string
  readonly url: string
  /** JSON. */
  readonly body: string | undefined
}

function samples({ method, url, body }: SampleRequest): string {
  const isGet = method === 'GET'
  const curl = [
    `curl ${isGet ? '' : `-X ${method} `}'${url}'`,
    "-H 'Authorization: Bearer YOUR_API_KEY'",
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${body}'`]),
  ]
  const inTypeScript = [
    ...(isGet ? [] : [`method: '${method}',`]),
    `headers: { Authorization: 'Bearer YOUR_API_KEY'${body === undefined ? '' : ", 'Content-Type': 'application/json'"} },`,
    ...(body === undefined ? [] : [`body: '${body}',`]),
  ]
  const inPython = [
    `"${url}",`,
    ...(isGet ? [] : [`method="${method}",`]),
    `headers={"Authorization": "Bearer YOUR_API_KEY"${body === undefined ? '' : ', "Content-Type": "application/json"'}},`,
    ...(body === undefined ? [] : [`data=b'${body}',`]),
  ]
  return [
    fence('sh', curl.join(' \\\n  ')),
    fence(
      'ts',
      `const response = await fetch('${url}', {\n  ${inTypeScript.join('\n  ')}\n})\nconsole.log(response.status, await response.text())`,
    ),
    fence(
      'python',
      `import urllib.request\n\nrequest = urllib.request.Request(\n    ${inPython.join('\n    ')}\n)\nwith urllib.request.urlopen(request) as response:\n    print(response.status, response.read().decode())`,
    ),
  ].join('\n')
}

function lastPart(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
