import { CONFORMANCE_RESULTS, type ConformanceResult, type Profile } from '../../shared/conformance-labels.ts'
import type {
  CheckedFile,
  CheckReport,
  Conformance,
  Example,
  RuleFindings,
  StatementResult,
} from '../../shared/contract/feed-checks.ts'
import { isLoopback } from '../rules/http-rules.ts'
import { BULK_PUBLISH_STATEMENTS } from './bulk-publish-statements.ts'
import { COMMUNITY_CHECKS } from './community-checks.ts'
import { GUIDE_STATEMENTS } from './guide-statements.ts'
import type { ConformanceStatement, Need } from './statement.ts'

/** The statements of each profile, in the order of a report. */
export const STATEMENTS: Readonly<Record<Profile, readonly ConformanceStatement[]>> = {
  'slot-directory': [...COMMUNITY_CHECKS, ...BULK_PUBLISH_STATEMENTS, ...GUIDE_STATEMENTS],
}

/** The data that a check has read, apart from its report. */
export interface Reading {
  readonly hasManifest: boolean
  /** The number of pages of the manifest. */
  readonly pages: number
  /** The manifest says that its files need no token. */
  readonly isOpen: boolean
  /** The number of additional requests. */
  readonly probes: number
  /** All files that were read: the report has the first ones. */
  readonly files: readonly CheckedFile[]
}

/** Assesses each statement of a profile by the findings of a check. */
export function assessConformance(profile: Profile, report: CheckReport, reading: Reading): Conformance {
  const assessment = new Assessment(report, reading)
  const statements = STATEMENTS[profile].map((statement) => assessment.assess(statement))
  const countOf = (result: ConformanceResult) => statements.filter((one) => one.result === result).length
  const counts = Object.fromEntries(CONFORMANCE_RESULTS.map((result) => [result, countOf(result)]))
  return { profile, counts: counts as Conformance['counts'], statements }
}

type Outcome = Pick<StatementResult, 'result' | 'count' | 'evidence'> & { readonly reason?: string }

const EVIDENCE_MAX = 5
const FROM_FILES = 'the feed was read from files, not over HTTP'

class Assessment {
  readonly #report: CheckReport
  readonly #reading: Reading
  readonly #findings: ReadonlyMap<string, RuleFindings>

  constructor(report: CheckReport, reading: Reading) {
    this.#report = report
    this.#reading = reading
    this.#findings = new Map(report.findings.map((findings) => [findings.rule, findings]))
  }

  assess(statement: ConformanceStatement): StatementResult {
    const { id, source, level, clause, text, rules } = statement
    return { id, source, level, clause, text, rules, ...this.#outcomeOf(statement) }
  }

  #outcomeOf({ rules, needs, unchecked, condition }: ConformanceStatement): Outcome {
    const found = rules.flatMap((rule) => this.#findings.get(rule) ?? [])
    const count = found.reduce((sum, findings) => sum + findings.count, 0)
    const evidence = found.flatMap(({ examples }) => examples).slice(0, EVIDENCE_MAX)
    if (count > 0 && condition === undefined) return { result: 'not-met', count, evidence }
    if (count > 0) return { result: 'unchecked', reason: condition ?? '', count, evidence }
    const reason = unchecked ?? needs.map((need) => this.#lacks(need)).find((why) => why !== undefined)
    if (reason !== undefined) return { result: 'unchecked', reason, count, evidence }
    return { result: 'met', count, evidence: this.#evidenceOf(needs) }
  }

  /** Why a need is not met. */
  #lacks(need: Need): string | undefined {
    const { hasManifest, pages, isOpen, probes } = this.#reading
    const url = URL.parse(this.#report.feed)
    const isOnWeb = url !== null && /^https?:$/.test(url.protocol)
    switch (need) {
      case 'manifest':
        return hasManifest ? undefined : (this.#incomplete() ?? 'the input has no manifest')
      case 'pages':
        return pages > 1 ? undefined : 'the manifest has one page'
      case 'open':
        return isOpen ? undefined : 'the manifest does not say that its files need no token'
      case 'files':
        return this.#incomplete()
      case 'http':
        return isOnWeb ? undefined : FROM_FILES
      case 'probes':
        return isOnWeb ? (probes > 0 ? undefined : (this.#incomplete() ?? 'no further requests were made')) : FROM_FILES
      case 'remote':
        return !isOnWeb || isLoopback(url) ? 'the feed was read on its own machine' : undefined
      default:
        return this.#incomplete() ?? (this.#linesOf(need) > 0 ? undefined : `the feed has no ${need}`)
    }
  }

  /** Why the absence of findings proves nothing. */
  #incomplete(): string | undefined {
    const { unreadable, stopped } = this.#report
    if (unreadable !== undefined) return `the feed could not be read: ${unreadable}`
    return stopped === undefined ? undefined : `the check ended early: ${stopped}`
  }

  #linesOf(type: string): number {
    return this.#filesOf(type).reduce((sum, { lines }) => sum + lines, 0)
  }

  #filesOf(type: string): CheckedFile[] {
    return this.#reading.files.filter(({ types }) => types.includes(type))
  }

  /** The evidence that was read without a finding. */
  #evidenceOf(needs: readonly Need[]): Example[] {
    const { feed, lines, fileCount } = this.#report
    const { pages, probes } = this.#reading
    const types = needs.filter((need) => this.#linesOf(need) > 0)
    if (types.length === 0) {
      const pagesRead = pages === 0 ? [] : [pages === 1 ? 'the manifest' : `${pages} pages of the manifest`]
      const filesRead = needs.includes('files') ? [`files: ${fileCount}`] : []
      const requests = needs.includes('probes') ? [`additional requests: ${probes}`] : []
      return [{ file: feed, found: `read ${[...pagesRead, ...filesRead, ...requests].join(', ')}; nothing found` }]
    }
    return types.map((type) => {
      const files = this.#filesOf(type)
      const count = type === 'Slot' ? lines.slots : this.#linesOf(type)
      return {
        file: files[0]?.name ?? feed,
        found: `read ${type} lines: ${count}, in files: ${files.length}; nothing found`,
      }
    })
  }
}
