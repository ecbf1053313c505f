import type { IncomingMessage } from 'node:http'
import packageJson from '../../../package.json' with { type: 'json' }
import type { ApiContext } from '../api-context.ts'
import { FHIR_JSON_TYPE } from '../fhir-outcome.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import { FEED_PATH, OPEN_FEED_PATH } from '../v1/fhir-feed/feed-access.ts'
import { FEED_MEDIA_TYPES } from '../v1/fhir-feed/feed-formats.ts'
import { MANIFEST_NAME } from '../v1/fhir-feed/manifest-parts.ts'
import { DIRECTORY_TYPES, type FeedDirectoryType } from '../v1/fhir-feed/published-resource.ts'
import { showText } from './show-text.ts'

export const METADATA_PATH = '/fhir/metadata'

const GUIDE = 'http://hl7.org/fhir/uv/smart-scheduling-links'
const BULK_DATA = 'http://hl7.org/fhir/uv/bulkdata'

/** The guide's profiles of the published resources. */
const PROFILES: Readonly<Record<FeedDirectoryType | 'Slot', readonly string[]>> = {
  Slot: ['smart-scheduling-slot'],
  Location: ['smart-scheduling-location', 'smart-scheduling-virtual-location'],
  Schedule: ['smart-scheduling-schedule'],
  PractitionerRole: ['smart-scheduling-practitionerRole'],
  Practitioner: ['smart-scheduling-practitioner'],
  HealthcareService: ['smart-scheduling-healthcare-service'],
}

/** Of each context, encoded once: `date` says when it last changed, which is not after the start. */
const statements = new WeakMap<ApiContext, string>()

/** GET /fhir/metadata: the CapabilityStatement (FHIR R4) of the published feed, without a key. */
export function showCapabilityStatement(request: IncomingMessage, api: ApiContext): SerializedResponse {
  const text = statements.get(api) ?? JSON.stringify(capabilityStatement(api))
  statements.set(api, text)
  return showText(request, { text, type: FHIR_JSON_TYPE })
}

/** States no interaction: resources are published as files, and not read or searched one by one. */
function capabilityStatement({ baseUrl, openFeed, now }: ApiContext): object {
  const isOpen = openFeed !== undefined
  const base = `${baseUrl}${isOpen ? OPEN_FEED_PATH : FEED_PATH}`.replace(/\/$/, '')
  return {
    resourceType: 'CapabilityStatement',
    url: `${baseUrl}${METADATA_PATH}`,
    version: packageJson.version,
    name: 'SchedulingSlots',
    title: 'Slots published by Scheduling Slots',
    status: 'active',
    date: new Date(now()).toISOString().slice(0, 10),
    kind: 'instance',
    software: { name: 'Scheduling Slots', version: packageJson.version },
    implementation: { description: 'A directory of bookable health-care appointment slots.', url: base },
    fhirVersion: '4.0.1',
    format: [FHIR_JSON_TYPE, FEED_MEDIA_TYPES[0]],
    implementationGuide: [
      `${GUIDE}/ImplementationGuide/hl7.fhir.uv.smart-scheduling-links`,
      `${BULK_DATA}/ImplementationGuide/hl7.fhir.uv.bulkdata`,
    ],
    rest: [
      {
        mode: 'server',
        documentation:
          'All resources are published as NDJSON files, which the manifest of `$bulk-publish` lists, and changes in its chain of updates. There is no read and no search.',
        security: { cors: isOpen, description: accessOf(baseUrl, isOpen) },
        resource: (['Slot', ...DIRECTORY_TYPES] as const).map((type) => ({
          type,
          supportedProfile: PROFILES[type].map((profile) => `${GUIDE}/StructureDefinition/${profile}`),
          documentation: 'In files of the feed only.',
        })),
        operation: [
          {
            name: 'bulk-publish',
            definition: `${BULK_DATA}/OperationDefinition/bulk-publish`,
            documentation: 'GET only. `_since` and `_format` are accepted and ignored.',
          },
        ],
      },
    ],
  }
}

function accessOf(baseUrl: string, isOpen: boolean): string {
  const keyed = `${baseUrl}${FEED_PATH}${MANIFEST_NAME} requires an API key of this service as a bearer token.`
  return isOpen ? `${baseUrl}${OPEN_FEED_PATH}${MANIFEST_NAME} requires no authentication. ${keyed}` : keyed
}
