import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import { DAY_MS } from '../lib/time.ts'

/** Does something now and every day from then on, until it is stopped. A failure is an event, and tomorrow is another day. */
export function startDaily(
  work: () => Promise<unknown>,
  onEvent: (event: LogEvent) => void,
): { stop(): Promise<void> } {
  let running = run()
  const timer = setInterval(() => {
    running = run()
  }, DAY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }

  async function run(): Promise<void> {
    try {
      await work()
    } catch (error) {
      const fields = { error: errorText(error) }
      onEvent({ level: 'error', message: 'old usage and sessions could not be deleted', fields })
    }
  }
}
