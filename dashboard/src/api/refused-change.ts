import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Statuses of a change that was made from an outdated page: the role, the object or its state has changed since. */
const OUTDATED = [403, 404, 409]

/** Reads the data of the page again after such a refusal: another tab or person has changed it. */
export function refetchOutdated(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && OUTDATED.includes(error.status)) void client.invalidateQueries()
}
