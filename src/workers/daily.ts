import type { LogEvent } from '../lib/log-event.ts'

const DAY_MS = 86_400_000

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
      const fields = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
      onEvent({ level: 'error', message: 'old usage and sessions could not be deleted', fields })
    }
  }
}
