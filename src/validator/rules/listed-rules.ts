import type { Json } from '../../lib/json.ts'
import { got } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'

/** A file that was read to its end, and what its manifest says of it. */
export interface ListedSubject {
  /** Its entry; of a file that is listed twice, the last. */
  readonly entry: Json
  /** Those that it is listed under, and those that were met in it. */
  readonly types: readonly string[]
  readonly typesMet: ReadonlySet<string>
  /** Lines that are not blank. */
  readonly lines: number
  /** What the manifest names for it, as an array or a bare text. */
  readonly statesNamed: readonly unknown[]
  /** Those of the Locations of its slots: where else a service is licensed is no matter of files. */
  readonly statesMet: ReadonlySet<string>
}

/** What is to be as its manifest says. */
export const LISTED_RULES: readonly Rule<ListedSubject>[] = [
  {
    id: 'output-type-absent',
    severity: 'warning',
    right: 'a file contains resources of each type under which it is listed',
    source: 'Manifest: output.type',
    find: ({ types, typesMet, lines }) => {
      const absent = types.filter((type) => !typesMet.has(type))
      return lines === 0 || absent.length === 0 ? undefined : got(`${absent.join(', ')} in it`, 'none')
    },
  },
  {
    id: 'output-count',
    severity: 'warning',
    right:
      '`count` is the number of lines of the file; otherwise the file is truncated or from another publication',
    source: 'Bulk Data: manifest, output.count',
    find: ({ entry: { count }, types, lines }) =>
      count === undefined || types.length > 1 || count === lines
        ? undefined
        : `${got('count', count)} of a file of ${lines} lines`,
  },
  {
    id: 'output-state-differs',
    severity: 'warning',
    right:
      '`state` names all states of the slots in the file: clients that select files by state miss the others',
    source: 'Manifest: output.extension.state; guide: sched-4',
    find: ({ statesNamed, statesMet, types }) => {
      if (statesNamed.length === 0 || types.length > 1) return undefined
      const missed = [...statesMet].filter((state) => !statesNamed.includes(state)).sort()
      return missed.length === 0
        ? undefined
        : `${got('extension.state', statesNamed)} of a file with slots in ${missed.slice(0, 10).join(', ')}`
    },
  },
]
