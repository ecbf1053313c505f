/**
 * Aborts on the first SIGINT or SIGTERM, to end in good order, with an error of that message as its reason; the second ends
 * the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(name, () => {
      // As a shell reports a process that a signal ended.
      if (controller.signal.aborted) process.exit(128 + number)
      controller.abort(new DOMException(name, 'AbortError'))
    })
  }
  return controller.signal
}
