import { asText, excerpt, type Json } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import { InvalidData } from '../invalid-data.ts'
import type { ServerClient } from './server-client.ts'

/** The versions of FHIR that are read. R4B says of Slots what R4 says. */
export type ServerVersion = 'R4' | 'STU3'

/** Asks a server which FHIR it speaks (its capability statement). Throws `FeedFailure` if that is none that is read, or it does not say. */
export async function readServerVersion(client: ServerClient, base: URL): Promise<ServerVersion> {
  const url = new URL('metadata', base)
  const response = await client.open(url)
  const failure = (why: string) => new FeedFailure(`Cannot read ${client.plainUrl(url).href}: ${why}`)
  const splitter = new JsonArraySplitter(REST)
  try {
    for await (const piece of response.body) splitter.split(piece)
    return versionOf(splitter.end())
  } catch (error) {
    if (error instanceof InvalidData) throw failure(error.message)
    throw error
  }
}

/** The one long part of it, which says nothing that is needed. */
const REST: ArrayLocation = { names: ['rest'], atRoot: false, document: 'a JSON object' }

function versionOf({ resourceType, fhirVersion }: Json): ServerVersion {
  const version = asText(fhirVersion) ?? ''
  const known = VERSIONS.find(({ form }) => form.test(version))
  if (known?.name === 'R4' || known?.name === 'STU3') return known.name
  if (known === undefined && resourceType !== 'CapabilityStatement' && resourceType !== 'Conformance') {
    throw new InvalidData(`it must be a CapabilityStatement: got "${excerpt(resourceType)}"`)
  }
  const name = known === undefined ? '' : ` (${known.name})`
  throw new InvalidData(`fhirVersion must be of R4, R4B or STU3: got "${excerpt(fhirVersion)}"${name}`)
}

/** As servers say them: ballots before a release count as the release. */
const VERSIONS = [
  { form: /^(?:0\.[1-9]|1\.0)\b/, name: 'DSTU2' },
  { form: /^(?:1\.[1-9]|3\.)/, name: 'STU3' },
  { form: /^4\.[0-3]\b/, name: 'R4' },
  { form: /^(?:4\.[4-9]|5\.)/, name: 'R5' },
  { form: /^6\./, name: 'R6' },
] as const
