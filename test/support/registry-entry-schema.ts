const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const SHORT = { type: 'string', minLength: 1, maxLength: 100 }
/** An address, or a template that begins with a variable. */
const ADDRESS = { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' }

/** The JSON Schema of an object without other properties. */
const objectWith = (required: readonly string[], properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

const INPUT = {
  description: TEXT,
  placeholder: TEXT,
  value: TEXT,
  default: TEXT,
  choices: { type: 'array', items: TEXT },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: FLAG,
  isSecret: FLAG,
}

const VARIABLES = { type: 'object', additionalProperties: objectWith([], INPUT) }

/**
 * The entry of a remote server in the MCP registry (`server.json`, schema of 2025-12-11), without the parts for packages.
 * Stricter than the registry: unknown properties are misspelt.
 */
export const REGISTRY_ENTRY_SCHEMA = objectWith(['$schema', 'name', 'description', 'version', 'remotes'], {
  $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
  name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
  title: SHORT,
  description: SHORT,
  version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+' },
  websiteUrl: { type: 'string', format: 'uri' },
  repository: objectWith(['url', 'source'], {
    url: { type: 'string', format: 'uri' },
    source: TEXT,
    id: TEXT,
    subfolder: TEXT,
  }),
  remotes: {
    type: 'array',
    minItems: 1,
    items: objectWith(['type', 'url'], {
      type: { enum: ['streamable-http', 'sse'] },
      url: ADDRESS,
      variables: VARIABLES,
      headers: { type: 'array', items: objectWith(['name'], { ...INPUT, name: TEXT, variables: VARIABLES }) },
    }),
  },
})
