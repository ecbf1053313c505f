import type { Connector, Source } from './sources/connector.ts'
import { smartLinks } from './sources/smart-links/connector.ts'

/** Which connector reads which source: today all are SMART Scheduling Links. */
export function connectorsOf(options: { allowPrivateSources: boolean }): (source: Source) => Connector {
  const connector = smartLinks({ allowPrivate: options.allowPrivateSources })
  return () => connector
}
