import type { StatementResult } from '../../shared/contract/feed-checks.ts'

/**
 * The data without which the absence of findings means nothing: the manifest with all pages, more than one
 * (`pages`), or one that needs no token (`open`); all files; responses over HTTP, also to additional requests (`probes`) or
 * from another machine (`remote`); resources of a type, for which all files are needed, too.
 */
export type Need =
  | 'manifest'
  | 'pages'
  | 'open'
  | 'files'
  | 'http'
  | 'probes'
  | 'remote'
  | 'Bundle'
  | 'OperationOutcome'
  | 'Location'
  | 'PractitionerRole'
  | 'Schedule'
  | 'Slot'

/** A statement of a specification in our words, and how a check tests it. */
export interface ConformanceStatement extends Pick<StatementResult, 'id' | 'source' | 'level' | 'clause' | 'text'> {
  /** The rules whose findings violate it. */
  readonly rules: readonly string[]
  readonly needs: readonly Need[]
  /** Why it cannot be checked, even if there are no findings. */
  readonly unchecked?: string
  /** Findings do not violate it, because it has a condition that cannot be seen. This is the condition. */
  readonly condition?: string
}

type StatementBody = Pick<ConformanceStatement, 'text'> &
  Partial<Pick<ConformanceStatement, 'rules' | 'needs' | 'unchecked' | 'condition'>>

type StatementRow = StatementBody & Pick<ConformanceStatement, 'id' | 'level' | 'clause'>

/** The statements of one source. */
export function statementsOf(
  source: ConformanceStatement['source'],
  rows: readonly StatementRow[],
): ConformanceStatement[] {
  return rows.map((row) => ({ source, rules: [], needs: [], ...row }))
}

const rowOf =
  (level: ConformanceStatement['level']) =>
  (id: string, clause: string, body: StatementBody): StatementRow => ({ id, level, clause, ...body })

export const shall = rowOf('SHALL')
export const shallNot = rowOf('SHALL NOT')
export const should = rowOf('SHOULD')
export const shouldNot = rowOf('SHOULD NOT')
export const may = rowOf('MAY')
