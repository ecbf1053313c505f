import { DashboardProblem } from '../../shared/dashboard-problem.ts'
import { LimitReached } from '../../store/contracts/store.ts'

/** Runs an insert that the store limits. Throws the problem `limit-reached` with this message if the limit is reached. */
export async function withinLimit<T>(insert: () => Promise<T>, message: string): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    if (error instanceof LimitReached) throw new DashboardProblem('limit-reached', message)
    throw error
  }
}
