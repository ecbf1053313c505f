import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/source-files.ts'
import { BINARIES } from './member.ts'
import { isBefore, PATRONI, patroniVersion, VERSION_MIN } from './patroni-program.ts'
import { FAKETIME } from './patroni-site.ts'

const NEEDED = [PATRONI, '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/ip', `${BINARIES}/postgres`, FAKETIME]
const PACKAGES = 'patroni, etcd-server, haproxy, iproute2, postgresql and faketime'

/** Why the torture on Patroni cannot run here; undefined if it can. */
export function patroniObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = NEEDED.filter((path) => !existsSync(path))
  if (missing.length > 0) return `not installed: ${missing.join(', ')}; Debian has them in ${PACKAGES}`
  const version = patroniVersion()
  if (!isBefore(version, VERSION_MIN)) return undefined
  return `Patroni must be ${VERSION_MIN} or later: got ${version}; TORTURE_PATRONI names the folder of an extracted package`
}

/** The first process of a namespace adopts the others, and has to reap them: Node does not. */
const INIT = ['sh', '-c', '"$@"; exit $?', 'sh']

const NAMESPACES = ['unshare', '--fork', '--kill-child', '--pid', '--mount', '--mount-proc', '--net']

/**
 * Runs the torture on Patroni in separate namespaces of processes, mounts and networks. Its processes, disks and networks
 * end with it, even if this process is killed. True if all held.
 */
export async function runIsolated(options: readonly string[]): Promise<boolean> {
  const script = join(ROOT, 'test/torture/patroni/run-patroni.ts')
  const command = ['--pdeathsig', 'KILL', ...NAMESPACES, ...INIT, process.execPath, script, ...options]
  const [code] = await once(spawn('setpriv', command, { stdio: 'inherit' }), 'exit')
  return code === 0
}
