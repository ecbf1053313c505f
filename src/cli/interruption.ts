/**
 * Aborts on the first SIGINT or SIGTERM for a graceful stop, with the signal's name as the reason's message; the second
 * signal ends the process immediately.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(name, () => {
      // The exit code that shells use for a process ended by a signal.
      if (controller.signal.aborted) process.exit(128 + number)
      controller.abort(new DOMException(name, 'AbortError'))
    })
  }
  return controller.signal
}
