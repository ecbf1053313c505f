import { z } from 'zod'
import { got, isObject, type Json } from '../lib/json.ts'
import { DAYS_AHEAD_MAX } from '../shared/source-fields.ts'
import { SERVER_KINDS, type SourceFormat } from '../shared/source-vocabulary.ts'

/** Options that do not fit a source. The message is a sentence for the operator, without a secret. */
export class InvalidSourceOptions extends Error {
  override readonly name = 'InvalidSourceOptions'
  /** The invalid member: `headers`, `authorization.tokenUrl`. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

const VALUE_LENGTH_MAX = 2000
const NAME_LENGTH_MAX = 100
const PAIRS_MAX = 20

const mustBeObject = ({ input }: { input?: unknown }) => `must be an object: ${got(input)}`

/** One line of ASCII that refers to no environment variable but `${SOURCE_…}`. */
function lineOf(lengthMin: 0 | 1) {
  const must = `must be one line of ASCII, ${lengthMin} to ${VALUE_LENGTH_MAX} characters`
  return z
    .string(must)
    .min(lengthMin, must)
    .max(VALUE_LENGTH_MAX, must)
    .regex(/^[\x20-\x7e]*$/, must)
    .superRefine((text, context) => {
      // Any other reference would be sent as it is written.
      const other = /\$\{(?!SOURCE_[A-Z0-9_]{1,100}\})[^}]{0,100}\}?/.exec(text)?.[0]
      const message = `must refer to variables that begin with SOURCE_, in capitals: ${got(other)}`
      if (other !== undefined) context.addIssue({ code: 'custom', message })
    })
}

const VALUE = lineOf(0)
const LINE = lineOf(1)

/** The message does not repeat the value: it may be the secret. */
const MUST_REFER = `must be a reference to the environment, like \${SOURCE_CLINIC_KEY}: secrets are never stored`

const refersToSecret = (text: string) => /\$\{SOURCE_/.test(text)

/** Names of headers and parameters that carry secrets. */
const SECRET_NAME = /auth|cookie|key|token|secret|passw|signature|credential/i

function namedValues(names: RegExp, isNoName: string) {
  const name = z.string().max(NAME_LENGTH_MAX).regex(names)
  return z
    .custom<Json>(isObject, { error: mustBeObject })
    .refine((pairs) => !Object.hasOwn(pairs, '__proto__'), { path: ['__proto__'], message: isNoName })
    .pipe(z.record(name, VALUE, { error: ({ code }) => (code === 'invalid_key' ? isNoName : undefined) }))
    .superRefine((pairs, context) => {
      const given = Object.entries(pairs)
      const tooMany = `must be at most ${PAIRS_MAX}: got "${given.length}"`
      if (given.length > PAIRS_MAX) context.addIssue({ code: 'custom', message: tooMany })
      for (const [name, value] of given) {
        if (!SECRET_NAME.test(name) || refersToSecret(value)) continue
        context.addIssue({ code: 'custom', path: [name], message: MUST_REFER })
      }
    })
}

/** Headers of the connection, and those that the HTTP client sets. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const HEADERS = namedValues(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not the name of a header').superRefine(
  (headers, context) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    for (const [at, name] of Object.keys(headers).entries()) {
      const issue = { code: 'custom' as const, path: [name] }
      if (RESERVED_HEADERS.has(names[at])) context.addIssue({ ...issue, message: 'is set by the service itself' })
      if (names.indexOf(names[at]) < at) context.addIssue({ ...issue, message: 'is given twice' })
    }
  },
)

const TOKEN_URL = LINE.transform((text, context) => {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '') return url.href
  const message = 'must be an http or https URL without a user, password or fragment'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const TOKEN_REQUEST = { tokenUrl: TOKEN_URL, clientId: LINE, scope: LINE.exactOptional() }
const SECRET = LINE.refine(refersToSecret, MUST_REFER)

const AUTHORIZATION = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('client-credentials'), ...TOKEN_REQUEST, clientSecret: SECRET }),
    z.strictObject({ kind: z.literal('backend-services'), ...TOKEN_REQUEST, privateKey: SECRET }),
  ],
  {
    error: ({ input }) =>
      isObject(input) ? `must be client-credentials or backend-services: ${got(input.kind)}` : mustBeObject({ input }),
  },
)

const mustBeDays = ({ input }: { input?: unknown }) =>
  `must be a whole number from 1 to ${DAYS_AHEAD_MAX}: ${got(input)}`

const mustBePercent = ({ input }: { input?: unknown }) => `must be a number from 0 to 100: ${got(input)}`

const mustBeServer = ({ input }: { input?: unknown }) => `must be one of ${SERVER_KINDS.join(', ')}: ${got(input)}`

const OPTIONS = z
  .strictObject(
    {
      headers: HEADERS.exactOptional(),
      query: namedValues(/^[\x21-\x7e]+$/, 'is not the name of a parameter').exactOptional(),
      daysAhead: z
        .int({ error: mustBeDays })
        .min(1, { error: mustBeDays })
        .max(DAYS_AHEAD_MAX, { error: mustBeDays })
        .exactOptional(),
      server: z.enum(SERVER_KINDS, { error: mustBeServer }).exactOptional(),
      serveTestData: z.boolean({ error: ({ input }) => `must be true or false: ${got(input)}` }).exactOptional(),
      rejectedPercentMax: z
        .number({ error: mustBePercent })
        .min(0, { error: mustBePercent })
        .max(100, { error: mustBePercent })
        .exactOptional(),
      authorization: AUTHORIZATION.exactOptional(),
    },
    { error: ({ code, input }) => (code === 'invalid_type' ? mustBeObject({ input }) : undefined) },
  )
  .superRefine(({ headers = {}, authorization }, context) => {
    const name = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')
    if (authorization === undefined || name === undefined) return
    const message = 'must be absent: the option authorization sets this header'
    context.addIssue({ code: 'custom', path: ['headers', name], message })
  })

/**
 * How to request a feed from its publisher and judge it, as an operator wrote it. Values may hold `${SOURCE_…}`, a reference to the
 * environment variable of that name: so no secret is ever stored, sent back or shown.
 *
 * - `headers`: sent with each request to the feed's own origin
 * - `query`: added to each URL of the feed's own origin
 * - `daysAhead` (`fhir-search` only): for how many days from now to search, 1 to 366
 * - `server` (`fhir-search` only): the search profile, instead of that derived from the server's metadata
 * - `serveTestData` (also of `files`): slots that are labeled as test data are served too
 * - `rejectedPercentMax` (also of `files`): the percentage of rejected lines beyond which a snapshot is suspicious
 * - `authorization` (`fhir-search` only): how to obtain an access token
 */
export type SourceOptions = Readonly<z.infer<typeof OPTIONS>>

/**
 * OAuth 2.0 client credentials (RFC 6749, 4.4), or SMART Backend Services (a signed assertion, RFC 7523). `privateKey` is a
 * private JSON Web Key (RFC 7517) as JSON, with `kid` and `alg`.
 */
export type SourceAuthorization = z.infer<typeof AUTHORIZATION>

/** All options. `docs/sources.md` has a row for each: a test compares. */
export const OPTION_NAMES = OPTIONS.keyof().options

/** Reads the options of a source of this format. Throws `InvalidSourceOptions` for the first invalid member. */
export function parseSourceOptions(format: SourceFormat, value: unknown): SourceOptions {
  const { data: options, error } = OPTIONS.safeParse(value)
  if (options === undefined) throw invalidOptions(error.issues)
  const first = Object.keys(options).find((name) => name !== 'serveTestData' && name !== 'rejectedPercentMax')
  if (format === 'files' && first !== undefined)
    throw new InvalidSourceOptions(first, `${first} must be absent: files are imported, not requested`)
  if (format !== 'fhir-search') {
    for (const field of ['daysAhead', 'server', 'authorization'] as const) {
      if (options[field] !== undefined)
        throw new InvalidSourceOptions(field, `${field} needs the format fhir-search: got "${format}"`)
    }
  }
  return options
}

function invalidOptions(issues: readonly z.core.$ZodIssue[]): InvalidSourceOptions {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  const [option = 'options', ...rest] = issue.path.map(String)
  const path = [option, ...rest].join('.')
  return new InvalidSourceOptions(option === 'authorization' ? path : option, `${path} ${messageOf(issue)}`)
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has an unknown member: ${got(issue.keys[0])}`
  return issue.message
}
