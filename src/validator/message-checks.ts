import { isUtf8 } from 'node:buffer'
import { parseReference } from '../feeds/fhir/data-types.ts'
import { parseResource } from '../feeds/fhir/parse-resource.ts'
import type { LineBatch } from '../feeds/http/lines.ts'
import { InvalidData } from '../feeds/rejections.ts'
import { asObject, asText, excerpt, type Json, objectsIn } from '../lib/json.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, quote } from './rule.ts'
import { NOTED_PAGE_RULES } from './rules/bulk-publish-rules.ts'
import { LINE_RULES, NOT_JSON } from './rules/file-rules.ts'
import type { Versions } from './versions.ts'

interface MessageCheckOptions {
  readonly findings: Findings
  readonly versions?: Versions
  /** The feed as a whole cannot be read. */
  fail(reason: string): void
}

/** Checks the lines of a file that is not one of resources to serve. */
export abstract class MessageCheck {
  protected readonly options: MessageCheckOptions
  /** Lines that are not blank. */
  lines = 0
  blankLines = 0

  constructor(options: MessageCheckOptions) {
    this.options = options
  }

  take(batch: LineBatch, file: string): void {
    const { findings } = this.options
    for (const [at, bytes] of batch.lines.entries()) {
      const text = bytes.toString()
      if (text.trim() === '') {
        this.blankLines++
        continue
      }
      this.lines++
      const where = { file, line: batch.first + at, excerpt: () => text }
      const overlong = batch.overlong.has(at)
      findings.applyAll(LINE_RULES, { text, overlong, malformed: !isUtf8(bytes), hasControls: false }, where)
      const resource = overlong ? undefined : parse(text)
      if (resource === undefined) this.checkUnreadable(where, overlong)
      else this.check(resource, where)
    }
  }

  protected abstract check(resource: Json, where: FindingPosition): void

  /** The line is not a JSON object; `LINE_RULES` report an overlong one. */
  protected abstract checkUnreadable(where: FindingPosition, overlong: boolean): void
}

/** Checks a file of deletions, and adds them to the versions. */
export class DeletionCheck extends MessageCheck {
  readonly #page: number

  constructor(options: MessageCheckOptions, page: number) {
    super(options)
    this.#page = page
  }

  protected override check(bundle: Json, where: FindingPosition): void {
    const { findings } = this.options
    if (bundle.resourceType !== 'Bundle') {
      this.#fail(where, quote('resourceType', bundle.resourceType))
      return
    }
    const entries = objectsIn(bundle.entry)
    if (bundle.type !== 'transaction' || entries.length === 0)
      findings.note(NOTED_PAGE_RULES.bundleType, where, quote('type', bundle.type))
    for (const { request } of entries) this.#delete(request, where)
  }

  protected override checkUnreadable(where: FindingPosition, overlong: boolean): void {
    if (!overlong) this.options.findings.note(NOT_JSON, where, NO_OBJECT)
    this.options.fail(`Cannot read deletions of ${where.file}, line ${where.line}: ${NO_OBJECT}`)
  }

  #delete(request: unknown, where: FindingPosition): void {
    const { method, url } = asObject(request) ?? {}
    const target = typeof url === 'string' && url.includes('?') ? undefined : parseReference({ reference: url })
    if (method === 'DELETE' && target?.type !== undefined)
      this.options.versions?.delete(`${target.type}/${target.id}`, this.#page)
    else this.#fail(where, quote('entry.request', request))
  }

  #fail(where: FindingPosition, found: string): void {
    this.options.findings.note(NOTED_PAGE_RULES.deletion, where, found)
    this.options.fail(`Cannot read deletions of ${where.file}, line ${where.line}: ${found}`)
  }
}

/** Checks a file of messages from the publisher. */
export class OutcomeCheck extends MessageCheck {
  protected override check(outcome: Json, where: FindingPosition): void {
    const { findings } = this.options
    const issues = objectsIn(outcome.issue)
    if (outcome.resourceType !== 'OperationOutcome' || issues.length === 0) {
      findings.note(NOTED_PAGE_RULES.outcomeUnreadable, where, quote('resourceType', outcome.resourceType))
      return
    }
    for (const { severity, diagnostics, details, code } of issues) {
      if (severity !== 'error' && severity !== 'fatal') continue
      const message = asText(diagnostics) ?? asText(asObject(details)?.text) ?? code
      findings.note(NOTED_PAGE_RULES.outcomeIssue, where, `${severity}: ${excerpt(message)}`)
    }
  }

  protected override checkUnreadable(where: FindingPosition): void {
    this.options.findings.note(NOTED_PAGE_RULES.outcomeUnreadable, where, NO_OBJECT)
  }
}

const NO_OBJECT = 'the line is not a JSON object'

/** As in a sync. */
function parse(text: string): Json | undefined {
  try {
    return parseResource(text, false)
  } catch (error) {
    if (error instanceof InvalidData) return undefined
    throw error
  }
}
