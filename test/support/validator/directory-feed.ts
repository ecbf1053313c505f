import type { Publisher } from '../feeds/publisher.ts'
import { BULK } from '../feeds/smart-links-reader.ts'
import { PlantedFeed } from './planted-feed.ts'

const SINCE_QUERY = '?_since=2026-01-01T00%3A00%3A00Z'

/** A Slot Directory that meets every statement of its profile that a check can see. */
export class DirectoryFeed extends PlantedFeed {
  /** Answers requests with `_since`. */
  acceptsSince = true

  constructor() {
    super('stu1')
    this.isImmutable = true
    Object.assign(this.manifest, {
      ...BULK,
      request: 'ORIGIN/$bulk-publish',
      updateCadence: 'PT5M',
      requiresAccessToken: false,
      outputFormat: 'application/fhir+ndjson',
    })
    for (const entry of this.manifest.output) entry.count = this.files[entry.type as 'Slot']?.length
    for (const [type, at] of [
      ['Location', 1],
      ['PractitionerRole', 0],
    ] as const)
      this.resource(type, at).identifier = [{ system: 'https://publisher.example/ids', value: '7' }]
    for (const key of ['manifest', ...Object.keys(this.files)])
      this.headers.set(key, { 'access-control-allow-origin': '*' })
  }

  override async publish(): Promise<Publisher> {
    const publisher = await super.publish()
    const manifest = publisher.files[this.path]
    if (this.acceptsSince && manifest !== undefined) publisher.files[this.path + SINCE_QUERY] = manifest
    return publisher
  }
}
