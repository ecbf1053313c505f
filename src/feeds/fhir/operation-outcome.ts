import { asObject, asText, type Json, objectsIn } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'
import { MESSAGE_SEVERITIES, type SourceMessage } from '../../shared/source-vocabulary.ts'
import { FeedFailure } from '../connector.ts'

/** The issues of an OperationOutcome; one of unknown severity is `information`. */
export function readIssues({ issue: issues }: Json): readonly SourceMessage[] {
  return objectsIn(issues).map((issue) => ({
    severity: MESSAGE_SEVERITIES.find((one) => one === issue.severity) ?? 'information',
    text: textOf(issue),
  }))
}

/** The highest severity of an OperationOutcome, with the texts of all issues of that severity, at most 250 characters. */
export function readOutcome(resource: Json): SourceMessage {
  const issues = readIssues(resource)
  const severity = MESSAGE_SEVERITIES.find((one) => issues.some((issue) => issue.severity === one)) ?? 'information'
  const texts = issues.filter((issue) => issue.severity === severity).map(({ text }) => text)
  return { severity, text: truncate([...new Set(texts)].join('; ') || 'no details', 250) }
}

/**
 * Throws `FeedFailure` if an OperationOutcome among the data reports an error: the data is then not complete (FHIR R4, Search: Handling
 * Errors).
 */
export function requireNoError(outcome: Json, file: string): void {
  const { severity, text } = readOutcome(outcome)
  if (severity === 'fatal' || severity === 'error')
    throw new FeedFailure(`Cannot read ${file}: the server reports ${severity}: ${text}`)
}

function textOf(issue: Json): string {
  const details = asObject(issue.details) ?? {}
  const [coding] = objectsIn(details.coding)
  const text = asText(issue.diagnostics) ?? asText(details.text) ?? asText(coding?.display)
  return text ?? asText(issue.code) ?? 'no details'
}
