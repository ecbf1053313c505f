import { type Deadline, untilAborted } from './deadline.ts'

/** The lines of a body as they arrive, the last one also without a line break. The deadline counts only the time of waiting for the service. */
export async function* linesOf(response: Response, deadline: Deadline): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const text of textsOf(response, deadline)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* untilAborted(lines, deadline.signal)
  }
  if (rest !== '') yield rest
}

async function* textsOf(response: Response, deadline: Deadline): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      deadline.extend()
      const chunk = await reader?.read()
      deadline.pause()
      if (!chunk || chunk.done) return
      yield decoder.decode(chunk.value, { stream: true })
    }
  } catch (error) {
    throw deadline.reasonFor(error)
  } finally {
    deadline.end()
    await reader?.cancel().catch(() => undefined)
  }
}
