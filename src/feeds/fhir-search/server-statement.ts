import { asText, excerpt, got, type Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { ServerKind } from '../../shared/source-vocabulary.ts'
import { FeedFailure } from '../connector.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import { InvalidData } from '../rejections.ts'
import type { ServerClient } from './server-client.ts'
import { learnServer, type ServerVersion } from './server-profile.ts'

/** The searches that the CapabilityStatement of a server declares. */
interface ServerStatement {
  readonly version: ServerVersion
  /** The profile that it names. */
  readonly server?: ServerKind
}

/** Reads a server's CapabilityStatement. Throws `FeedFailure` if its FHIR version is missing or not supported. */
export async function readStatement(client: ServerClient, base: URL): Promise<ServerStatement> {
  const url = new URL('metadata', base)
  const response = await client.open(url)
  const failure = (why: string) => new FeedFailure(`Cannot read ${client.plainUrl(url).href}: ${why}`)
  const splitter = new JsonArraySplitter(REST)
  try {
    for await (const piece of response.body) splitter.split(piece)
    const statement = splitter.end()
    return { version: versionOf(statement), ...defined({ server: learnServer(statement) }) }
  } catch (error) {
    if (error instanceof InvalidData) throw failure(error.message)
    throw error
  }
}

/** The long member of the document, which is skipped. */
const REST: ArrayLocation = { names: ['rest'], atRoot: false, document: 'a JSON object' }

function versionOf({ resourceType, fhirVersion }: Json): ServerVersion {
  const version = asText(fhirVersion) ?? ''
  const known = VERSIONS.find(({ form }) => form.test(version))
  if (known?.name === 'R4' || known?.name === 'STU3') return known.name
  if (known === undefined && resourceType !== 'CapabilityStatement' && resourceType !== 'Conformance') {
    throw new InvalidData(`it must be a CapabilityStatement: ${got(resourceType)}`)
  }
  const name = known === undefined ? '' : ` (${known.name})`
  throw new InvalidData(`fhirVersion must be of R4, R4B or STU3: got "${excerpt(fhirVersion)}"${name}`)
}

/** By `fhirVersion`: ballots before a release count as the release. */
const VERSIONS = [
  { form: /^(?:0\.[1-9]|1\.0)\b/, name: 'DSTU2' },
  { form: /^(?:1\.[1-9]|3\.)/, name: 'STU3' },
  { form: /^4\.[0-3]\b/, name: 'R4' },
  { form: /^(?:4\.[4-9]|5\.)/, name: 'R5' },
  { form: /^6\./, name: 'R6' },
] as const
