import { type Socket, Socket as SocketClass } from 'node:net'

type Connect = Socket['connect']

/** While `act` runs, connections to this name go to loopback without a look-up. Other connections are not affected. */
export async function withoutDns(name: string, act: () => Promise<void>): Promise<void> {
  const { prototype } = SocketClass
  const original: Connect = prototype.connect
  prototype.connect = function connect(this: Socket, ...args: unknown[]) {
    // Node itself passes the arguments as an array.
    const [first] = args
    const options = Array.isArray(first) ? first[0] : first
    if (options?.host === name) Object.assign(options, { host: '127.0.0.1', lookup: undefined })
    return Reflect.apply(original, this, args)
  } as Connect
  try {
    await act()
  } finally {
    prototype.connect = original
  }
}
