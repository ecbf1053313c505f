import type { SourceFormat } from '../shared/source-vocabulary.ts'
import { type Connector, FeedFailure, type Source, type SourceSecrets } from './connector.ts'
import { fhirSearch } from './fhir-search/connector.ts'
import type { AllowedHosts } from './http/allowed-hosts.ts'
import { smartLinks } from './smart-links/connector.ts'

/** Network access and secrets of connectors. */
export interface ConnectorsOptions {
  readonly allowPrivateSources: boolean
  readonly allowedSourceHosts?: AllowedHosts
  readonly sourceSecrets?: SourceSecrets
}

/** Finds the connector of a source. Connectors are created once and cache access tokens between syncs. */
export function connectorsOf(options: ConnectorsOptions): (source: Source) => Connector {
  const { allowPrivateSources: allowPrivate, allowedSourceHosts: allowedHosts, sourceSecrets = {} } = options
  const connectors: Record<SourceFormat, Connector> = {
    'smart-links': smartLinks({ allowPrivate, allowedHosts, sourceSecrets }),
    'fhir-search': fhirSearch({ allowPrivate, allowedHosts, sourceSecrets }),
    files: FILES,
  }
  return ({ format }) => connectors[format]
}

/** A source of files has no feed: operators import files. */
const FILES: Connector = {
  async read({ slug }) {
    throw new FeedFailure(`Cannot read ${slug}: it has no feed. Import its slots from a file.`)
  },
}
