import { execFileSync } from 'node:child_process'

/**
 * In earlier versions, a primary that was frozen for longer than its lease overwrites the lock of its successor in etcd when it
 * continues, and what the successor confirmed is lost (patroni/patroni#2689).
 */
export const VERSION_MIN = '3.0.3'

/** Where `dpkg --extract` put the package of another version than the installed one. */
const { TORTURE_PATRONI: FOLDER } = process.env

export const PATRONI = FOLDER === undefined ? '/usr/bin/patroni' : `${FOLDER}/usr/bin/patroni`

/** Debian's Python, whichever comes first in the path: the packages that Patroni needs are its own. */
export const PATRONI_COMMAND = ['/usr/bin/python3', PATRONI]

export const PATRONI_ENV = FOLDER === undefined ? {} : { PYTHONPATH: `${FOLDER}/usr/lib/python3/dist-packages` }

export function patroniVersion(): string {
  const [command, ...options] = PATRONI_COMMAND
  const printed = execFileSync(command, [...options, '--version'], { env: { ...process.env, ...PATRONI_ENV } })
  return /[\d.]+/.exec(String(printed))?.[0] ?? ''
}

/** Compares versions part by part, as numbers. */
export function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0
}
