import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** What a change is refused with if the page shows an older state: the visitor's role, the object or its state is another one now. */
const OUTDATED = [403, 404, 409]

/** Reads again what the page shows after such a refusal: another tab or person has changed it. */
export function refetchOutdated(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && OUTDATED.includes(error.status)) void client.invalidateQueries()
}
