import { execFileSync } from 'node:child_process'
import { ROOT } from './fingerprint.ts'

/**
 * The day (`YYYY-MM-DD`) of the newest commit of each file below the paths, by path. Empty without git or its history, as in a release
 * archive, an image or a shallow clone.
 */
export function changeDates(paths: readonly string[], repository = ROOT): Map<string, string> {
  const dates = new Map<string, string>()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: 'pipe', maxBuffer: LOG_BYTES_MAX })
  try {
    if (git('rev-parse', '--is-shallow-repository', '--show-prefix') !== 'false\n\n') return dates
    const log = git('-c', 'core.quotePath=false', 'log', '--format=%x00%cs', '--name-only', '--', ...paths)
    for (const commit of log.split('\0').slice(1)) {
      const [day, ...files] = commit.split('\n').filter((line) => line !== '')
      for (const file of files) if (!dates.has(file)) dates.set(file, day)
    }
  } catch {
    dates.clear()
  }
  return dates
}

const LOG_BYTES_MAX = 64 * 1024 * 1024
