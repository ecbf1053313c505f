import { singleLine } from '../../lib/text.ts'
import { FeedFailure, type Rejected, type SecretOf, type SnapshotDraft } from '../connector.ts'
import { REASON_LENGTH_MAX, SAMPLE_LENGTH_MAX } from '../invalid-data.ts'

/** A reference to a variable of the environment, as it stands in the options of a source. */
export const SECRET_REFERENCE = /\$\{(SOURCE_[A-Z0-9_]{1,100})\}/g

/**
 * The secrets that one reading of a source needs: puts them in where they are sent, and takes them out of all that is
 * told, whoever repeated them: a publisher's error message, a line that was rejected, a link.
 */
export class Secrets {
  readonly #secretOf: SecretOf
  /** As they are, and as they stand in URLs, in JSON and in a line. The longest first, for one may hold another. */
  #shapes: readonly string[] = []
  #areUsed = false

  constructor(secretOf: SecretOf) {
    this.#secretOf = secretOf
  }

  /** True once something was put in: what is sent from then on is secret. */
  get areUsed(): boolean {
    return this.#areUsed
  }

  /** The text with the variables' values. Throws `FeedFailure` that names a variable which is missing or cannot be sent. */
  fill(text: string): string {
    return text.replace(SECRET_REFERENCE, (_, name: string) => this.#valueOf(name))
  }

  /** As `fill`, for what goes into a header or a URL. */
  fillLine(text: string): string {
    return text.replace(SECRET_REFERENCE, (_, name: string) => {
      const value = this.#valueOf(name)
      if (/^[\x20-\x7e]*$/.test(value)) return value
      throw new FeedFailure(`Cannot ask the publisher: ${name} must be one line of ASCII to be sent`)
    })
  }

  /** Counts a value that was had with the others, such as an access token, among the secrets. */
  note(value: string): void {
    this.#areUsed = true
    if (value.length < HIDDEN_LENGTH_MIN) return
    const forms = [value, encodeURIComponent(value), new URLSearchParams([['', value]]).toString().slice(1)]
    const shapes = new Set([...this.#shapes, ...forms, singleLine(value), JSON.stringify(value).slice(1, -1)])
    this.#shapes = [...shapes].sort((a, b) => b.length - a.length)
  }

  /** The text without any of them, and without the beginning of one that was cut. It may become longer. */
  redact(text: string): string {
    return this.#shapes.reduce(
      (rest, shape) => withoutBeginnings(rest.replaceAll(shape, HIDDEN), shape),
      text,
    )
  }

  /** What went wrong, without any of them; nothing of what caused it stays attached. */
  redacted(error: unknown): unknown {
    if (!(error instanceof FeedFailure) || !this.areUsed) return error
    const { retryAfterMs } = error
    return new FeedFailure(this.redact(error.message), retryAfterMs === undefined ? {} : { retryAfterMs })
  }

  /** The draft, behind a guard that keeps them out of what is rejected. */
  guard(draft: SnapshotDraft): SnapshotDraft {
    const reject = (rejected: Rejected) => draft.reject(this.#redactedRejection(rejected))
    return {
      memory: draft.memory,
      recall: () => draft.recall(),
      keep: (fingerprint) => draft.keep(fingerprint),
      keepPart: (part) => draft.keepPart(part),
      put: (slot, origin) => draft.put(slot, origin),
      reject,
      withhold: () => draft.withhold(),
      flush: () => draft.flush(),
    }
  }

  #valueOf(name: string): string {
    const value = this.#secretOf(name)
    if (value === undefined || value === '') {
      throw new FeedFailure(`Cannot ask the publisher: ${name} must be set in the environment of the service`)
    }
    this.note(value)
    return value
  }

  #redactedRejection({ file, line, reason, sample }: Rejected): Rejected {
    return {
      file: this.redact(file),
      line,
      reason: bounded(this.redact(reason), REASON_LENGTH_MAX),
      sample: bounded(this.redact(sample), SAMPLE_LENGTH_MAX),
    }
  }
}

/** Shorter values hide nothing, and to take each "1" out of a message would only make it unreadable. */
const HIDDEN_LENGTH_MIN = 4

const HIDDEN = '[secret]'

/** Where a text was cut: at its end, before the mark of `truncate()`, and before that of the JSON parser. */
const CUT = /\ufffd?(?:$|…|"?\.\.\.)/y

/** The text without what is left of a value where somebody cut it. */
function withoutBeginnings(text: string, value: string): string {
  const head = value.slice(0, HIDDEN_LENGTH_MIN)
  let rest = text
  for (let at = rest.indexOf(head); at >= 0; at = rest.indexOf(head, at + 1)) {
    let end = at + head.length
    while (end < rest.length && rest[end] === value[end - at]) end++
    CUT.lastIndex = end
    if (CUT.test(rest)) rest = `${rest.slice(0, at)}${HIDDEN}${rest.slice(end)}`
  }
  return rest
}

/** At most so many characters, of which the last are no half of a sign. */
function bounded(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const last = text.lastIndexOf(HIDDEN, lengthMax - 1)
  return text.slice(0, last + HIDDEN.length > lengthMax && last >= 0 ? last : lengthMax).toWellFormed()
}
