import { asObject, asText, type Json, objectsIn } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'

/** What a server says of how a search went. */
export interface OutcomeSummary {
  readonly severity: 'fatal' | 'error' | 'warning' | 'information'
  /** One line, at most 250 characters. */
  readonly words: string
}

/** Reads an OperationOutcome: its severest issue, with the words of all that are as severe. */
export function readOutcome(resource: Json): OutcomeSummary {
  const issues = objectsIn(resource.issue)
  const severity = SEVERITIES.find((one) => issues.some((issue) => issue.severity === one)) ?? 'information'
  const words = issues.filter((issue) => issue.severity === severity).map(wordsOf)
  return { severity, words: truncate([...new Set(words)].join('; ') || 'no words', 250) }
}

/** What the text beside a refusal says of it; undefined if it is no OperationOutcome. */
export function explain(text: string): string | undefined {
  try {
    const resource = asObject(JSON.parse(text))
    return resource?.resourceType === 'OperationOutcome' ? readOutcome(resource).words : undefined
  } catch {
    return undefined
  }
}

const SEVERITIES = ['fatal', 'error', 'warning', 'information'] as const

function wordsOf(issue: Json): string {
  const details = asObject(issue.details) ?? {}
  const [coding] = objectsIn(details.coding)
  const words = asText(issue.diagnostics) ?? asText(details.text) ?? asText(coding?.display)
  return words ?? asText(issue.code) ?? 'no words'
}
