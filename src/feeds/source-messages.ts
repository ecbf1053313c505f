import { singleLine, truncate } from '../lib/text.ts'
import { MESSAGE_SEVERITIES, type SourceMessage } from '../shared/source-vocabulary.ts'

/** Messages kept of one read of a source, and the characters of each. */
export const MESSAGES_MAX = 20
export const MESSAGE_LENGTH_MAX = 300

/** Collects what a publisher reports about its feed: distinct messages, the most severe first, at most 20 of any severity. */
export class SourceMessages {
  readonly #bySeverity = new Map<SourceMessage['severity'], Set<string>>()

  add({ severity, text }: SourceMessage): void {
    const texts = this.#bySeverity.get(severity) ?? new Set()
    this.#bySeverity.set(severity, texts)
    if (texts.size < MESSAGES_MAX) texts.add(truncate(singleLine(text), MESSAGE_LENGTH_MAX))
  }

  get all(): readonly SourceMessage[] {
    return MESSAGE_SEVERITIES.flatMap((severity) =>
      Array.from(this.#bySeverity.get(severity) ?? [], (text) => ({ severity, text })),
    ).slice(0, MESSAGES_MAX)
  }
}
