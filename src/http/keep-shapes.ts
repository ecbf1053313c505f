import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Live examples of the objects that Node makes for each request. To be held for as long as requests are answered.
 *
 * V8 forgets the shape of an object when a full collection finds no such object alive, as happens in a quiet moment
 * after the slots have been loaded. Code that had learned the shape does not learn it again, and every later request
 * takes the slow path: 47,000 a second instead of 80,000 to 100,000 of the same page. Holding one of each prevents it.
 */
export async function keepShapes(listener: RequestListener): Promise<readonly object[]> {
  const shapes: object[] = [tickObject()]
  const server = createServer((incoming, outgoing) => {
    shapes.push(incoming, outgoing)
    listener(incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const path of ['/livez', '/v1/scheduling/slots']) {
    const asked = request({ port, path, agent: false }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    await once(answer, 'close')
  }
  server.close()
  return shapes
}

/** What `process.nextTick()` queues; only a hook gets to see it. */
function tickObject(): object {
  let seen: object = {}
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') seen = resource
    },
  }).enable()
  process.nextTick(() => undefined)
  hook.disable()
  return seen
}
