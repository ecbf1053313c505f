import type { AlertTestView, AlertWayView } from '../../../shared/alert-shapes.ts'
import type { Visit } from '../visit.ts'

/** Who is told of sources in trouble, and whether it arrives. */
export async function listAlertWays({ account }: Visit): Promise<{ ways: AlertWayView[] }> {
  return { ways: await account.alerts.list() }
}

/** The answer waits until each has arrived or failed. */
export async function testAlerts({ account }: Visit): Promise<{ ways: AlertTestView[] }> {
  return { ways: await account.alerts.test() }
}
