import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the files of a test run share, and how they reach it. */
export interface SharedServices {
  readonly postgres: { readonly port: number; readonly binaries: string }
  readonly chromium: { readonly endpoint: string }
  /** The built server, which starts in half the CPU time of its sources. */
  readonly server: { readonly main: string }
}

type Starters = { readonly [Name in keyof SharedServices]: () => Promise<SharedServices[Name]> }

/** The environment variable with the address of the run's shared services, for the processes of the test files. */
export const SERVICES_VARIABLE = 'TEST_SERVICES'

/** Serves the run's shared services to the processes of the test files. Each service starts with the first request for it. */
export async function serveSharedServices(starters: Starters): Promise<{ readonly address: string } & AsyncDisposable> {
  const started = new Map<string, Promise<unknown>>()
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    if (!isService(name)) return void response.writeHead(404).end()
    const service = started.get(name) ?? starters[name]()
    started.set(name, service)
    try {
      response.end(JSON.stringify(await service))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function isService(name: string): name is keyof SharedServices {
    return Object.hasOwn(starters, name)
  }
}

/** The service that the files of this test run share; undefined for a file that runs without `npm test`. */
export async function sharedService<Name extends keyof SharedServices>(
  name: Name,
): Promise<SharedServices[Name] | undefined> {
  const address = process.env[SERVICES_VARIABLE]
  if (address === undefined) return undefined
  const response = await fetch(`${address}/${name}`, { headers: { connection: 'close' } })
  if (!response.ok) throw new Error(`Cannot start the shared ${name}: ${await response.text()}`)
  return (await response.json()) as SharedServices[Name]
}
