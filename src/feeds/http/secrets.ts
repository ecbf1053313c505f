import { singleLine } from '../../lib/text.ts'
import type { SourceMessage } from '../../shared/source-vocabulary.ts'
import {
  FeedFailure,
  overrideDraft,
  ReadAgain,
  type Rejected,
  type SnapshotDraft,
  type SourceSecrets,
} from '../connector.ts'
import type { LineOutcome, SnapshotUpdate } from '../feed-resources.ts'
import { REASON_LENGTH_MAX, SAMPLE_LENGTH_MAX } from '../rejections.ts'
import { MESSAGE_LENGTH_MAX } from '../source-messages.ts'

/** A reference to an environment variable in the options of a source. */
const SECRET_REFERENCE = /\$\{(SOURCE_[A-Z0-9_]{1,100})\}/g

/**
 * The secrets for one read of a source: fills them into requests, and redacts them in errors and rejections, where a
 * publisher's message, a rejected line or a link may repeat them.
 */
export class Secrets {
  readonly #values: SourceSecrets
  /** Each secret as it is, and as URLs, JSON and single lines encode it. The longest first: one may contain another. */
  #shapes: readonly string[] = []
  #areUsed = false

  constructor(values: SourceSecrets) {
    this.#values = values
  }

  /** True once a secret was filled in. */
  get areUsed(): boolean {
    return this.#areUsed
  }

  /** The text with the values of its variables. Throws `FeedFailure` that names a missing variable. */
  fill(text: string): string {
    return text.replace(SECRET_REFERENCE, (_, name: string) => this.#valueOf(name))
  }

  /** Like `fill`, for headers and URLs: the values must be one line of ASCII. */
  fillLine(text: string): string {
    return text.replace(SECRET_REFERENCE, (_, name: string) => {
      const value = this.#valueOf(name)
      if (/^[\x20-\x7e]*$/.test(value)) return value
      throw new FeedFailure(`Cannot read the feed: ${name} must be one line of ASCII`)
    })
  }

  /** Adds a secret that was obtained with the others, such as an access token. */
  note(value: string): void {
    this.#areUsed = true
    if (value.length < REDACTED_LENGTH_MIN) return
    const forms = [value, encodeURIComponent(value), new URLSearchParams([['', value]]).toString().slice(1)]
    const shapes = new Set([...this.#shapes, ...forms, singleLine(value), JSON.stringify(value).slice(1, -1)])
    this.#shapes = [...shapes].sort((a, b) => b.length - a.length)
  }

  /** The text without secrets, and without the beginning of a truncated one. It may become longer. */
  redact(text: string): string {
    return this.#shapes.reduce((rest, shape) => withoutBeginnings(rest.replaceAll(shape, REDACTED), shape), text)
  }

  /** The error without secrets; its cause is dropped because it may contain them. */
  redacted(error: unknown): unknown {
    if (!(error instanceof FeedFailure) || !this.areUsed) return error
    if (error instanceof ReadAgain) return new ReadAgain(this.redact(error.message), error)
    return new FeedFailure(this.redact(error.message), { retryAfterMs: error.retryAfterMs })
  }

  /** The messages without secrets. */
  redactedMessages(messages: readonly SourceMessage[]): readonly SourceMessage[] {
    return messages.map(({ severity, text }) => ({ severity, text: bounded(this.redact(text), MESSAGE_LENGTH_MAX) }))
  }

  /** A draft that redacts secrets in rejections. */
  guard(draft: SnapshotDraft): SnapshotDraft {
    return overrideDraft(draft, {
      reject: (rejected) => draft.reject(this.#redactedRejection(rejected)),
      startUpdate: () => this.#guardUpdate(draft.startUpdate()),
    })
  }

  #guardUpdate(update: SnapshotUpdate): SnapshotUpdate {
    const redacted = (outcome: LineOutcome | undefined) =>
      outcome !== undefined && 'rejected' in outcome ? { rejected: this.#redactedRejection(outcome.rejected) } : outcome
    return {
      change: (before, after) => update.change(redacted(before), redacted(after)),
      flush: () => update.flush(),
    }
  }

  #valueOf(name: string): string {
    const value = this.#values[name]
    if (value === undefined || value === '') {
      throw new FeedFailure(`Cannot read the feed: ${name} must be set in the environment of the service`)
    }
    this.note(value)
    return value
  }

  #redactedRejection({ code, file, line, reason, sample }: Rejected): Rejected {
    return {
      code,
      file: this.redact(file),
      line,
      reason: bounded(this.redact(reason), REASON_LENGTH_MAX),
      sample: bounded(this.redact(sample), SAMPLE_LENGTH_MAX),
    }
  }
}

/** Shorter values are no secrets, and removing each "1" would make a message unreadable. */
const REDACTED_LENGTH_MIN = 4

const REDACTED = '[secret]'

/** Where a text may be truncated: at its end, before the mark of `truncate()`, and before that of the JSON parser. */
const CUT = /\ufffd?(?:$|…|"?\.\.\.)/y

/** The text without the truncated beginning of a value. */
function withoutBeginnings(text: string, value: string): string {
  const head = value.slice(0, REDACTED_LENGTH_MIN)
  let rest = text
  for (let at = rest.indexOf(head); at >= 0; at = rest.indexOf(head, at + 1)) {
    let end = at + head.length
    while (end < rest.length && rest[end] === value[end - at]) end++
    CUT.lastIndex = end
    if (CUT.test(rest)) rest = `${rest.slice(0, at)}${REDACTED}${rest.slice(end)}`
  }
  return rest
}

/** At most `lengthMax` characters, not ending within the mark of a secret. */
function bounded(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const last = text.lastIndexOf(REDACTED, lengthMax - 1)
  return text.slice(0, last + REDACTED.length > lengthMax && last >= 0 ? last : lengthMax).toWellFormed()
}
