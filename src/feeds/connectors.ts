import type { SourceFormat } from '../shared/source-vocabulary.ts'
import { type Connector, FeedFailure, type Source } from './connector.ts'
import { fhirSearch } from './fhir-search/connector.ts'
import { smartLinks } from './smart-links/connector.ts'

/** Where connectors may reach, and what they may tell publishers. */
export interface ConnectorsOptions {
  readonly allowPrivateSources: boolean
  /** What `${SOURCE_…}` stands for in the options of sources, by name. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
}

/** Which connector reads which source. They are made once: what they hold between syncs, such as access tokens, they share. */
export function connectorsOf(options: ConnectorsOptions): (source: Source) => Connector {
  const { allowPrivateSources: allowPrivate, sourceSecrets: secrets = {} } = options
  const secretOf = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined)
  const connectors: Record<SourceFormat, Connector> = {
    'smart-links': smartLinks({ allowPrivate, secretOf }),
    'fhir-search': fhirSearch({ allowPrivate, secretOf }),
    files: BROUGHT,
  }
  return ({ format }) => connectors[format]
}

/** Nobody is asked for files: they are brought. */
const BROUGHT: Connector = {
  async read({ slug }) {
    throw new FeedFailure(`Cannot read ${slug}: it has no feed: import its slots from a file`)
  },
}
