import { integer, type Variable } from './environment.ts'

const WORKERS_MAX = 64

/** How many threads of a node answer callers. More than one only where the system lets them listen on one port. */
export function workersVariable(platform: NodeJS.Platform): Variable<number> {
  const isShareable = platform === 'linux' || platform === 'freebsd'
  const only1 = '1 on this system: only Linux and FreeBSD let several threads listen on one port'
  const { must, parse } = integer(1, isShareable ? WORKERS_MAX : 1)
  return { name: 'WORKERS', fallback: '1', must: isShareable ? must : only1, parse }
}
