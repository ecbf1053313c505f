import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { errorCode } from '../../../src/lib/text.ts'

/** Runs a command, and returns its output. */
export async function run(command: string, ...options: string[]): Promise<string> {
  return (await promisify(execFile)(command, options)).stdout
}

/**
 * Bridges and network namespaces: each namespace is a host with a network stack that can be unplugged.
 *
 *     this process 10.0.0.1 ─┐
 *                            ├─ bridge 0 ── db-1, db-2, db-3, proxy
 *     node one     10.0.1.1 ─── bridge 1 ── proxy
 *     node two     10.0.2.1 ─── bridge 2 ── proxy
 *
 * Needs root, and a network namespace with a `/run` of the same lifetime: see `isolated.ts`.
 */
export class Network {
  static async open(bridges: number): Promise<Network> {
    await run('ip', 'link', 'set', 'lo', 'up')
    const network = new Network()
    for (let at = 0; at < bridges; at++) {
      await run('ip', 'link', 'add', `b${at}`, 'type', 'bridge')
      await run('ip', 'addr', 'add', `${network.address(at, 1)}/24`, 'dev', `b${at}`)
      await run('ip', 'link', 'set', `b${at}`, 'up')
    }
    return network
  }

  address(bridge: number, host: number): string {
    return `10.0.${bridge}.${host}`
  }

  /** Adds a host to these bridges, with the same last part of its address on each. */
  async add(host: string, number: number, bridges: readonly number[]): Promise<void> {
    await run('ip', 'netns', 'add', host)
    await run('ip', '-n', host, 'link', 'set', 'lo', 'up')
    for (const at of bridges) {
      const [port, plug] = [`${host}.${at}`, `eth${at}`]
      await run('ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', plug, 'netns', host)
      await run('ip', '-n', host, 'addr', 'add', `${this.address(at, number)}/24`, 'dev', plug)
      await run('ip', '-n', host, 'link', 'set', plug, 'up')
      await run('ip', 'link', 'set', port, 'up')
      await this.plug(host, at)
    }
  }

  /** From now on the bridge transfers nothing from or to the host; neither side notices. */
  async unplug(host: string, bridge: number): Promise<void> {
    await run('ip', 'link', 'set', `${host}.${bridge}`, 'nomaster')
  }

  async plug(host: string, bridge: number): Promise<void> {
    await run('ip', 'link', 'set', `${host}.${bridge}`, 'master', `b${bridge}`)
  }

  /** The host drops what it sends to the address until `unblock()`. */
  async block(host: string, address: string): Promise<void> {
    await run('ip', '-n', host, 'route', 'add', 'blackhole', `${address}/32`)
  }

  async unblock(host: string, address: string): Promise<void> {
    await run('ip', '-n', host, 'route', 'del', 'blackhole', `${address}/32`)
  }

  /** Sends the signal to the host's processes, except to those of `others`. */
  async signal(host: string, signal: NodeJS.Signals, others: readonly (number | undefined)[] = []): Promise<void> {
    const listed = await run('ip', 'netns', 'pids', host)
    for (const pid of listed.split('\n').filter(Boolean).map(Number)) {
      if (others.includes(pid)) continue
      try {
        process.kill(pid, signal)
      } catch (error) {
        if (errorCode(error) !== 'ESRCH') throw error
      }
    }
  }
}
