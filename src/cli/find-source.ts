import type { SourceState } from '../store/contracts/source-store.ts'
import type { Store } from '../store/contracts/store.ts'
import { Failure } from './command.ts'
import { PROGRAM } from './program.ts'

/** The source of a slug. Throws `Failure` with how to see them all. */
export async function getSource(store: Store, purpose: string, slug: string): Promise<SourceState> {
  const source = await store.sources.find(slug)
  if (source === undefined) throw new Failure(unknownSource(purpose, slug))
  return source
}

/** Why nothing was done. */
export function unknownSource(purpose: string, slug: string): string {
  return `Cannot ${purpose}: slug must be that of a source: got "${slug}"\nAll of them: ${PROGRAM} source list`
}
