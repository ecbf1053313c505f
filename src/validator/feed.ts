import type { IncomingHttpHeaders } from 'node:http'

/** A file of a feed that is open. */
export interface OpenedFile {
  /** As it is shown: its URL, or its path. */
  readonly name: string
  /** How it came; absent if it came from a disk. */
  readonly http?: {
    readonly asked: URL
    readonly url: URL
    readonly headers: IncomingHttpHeaders
  }
  /** Its decoded content, to be read once. Throws `FeedFailure` if it cannot be read to its end. */
  readonly body: AsyncIterable<Buffer>
}

/** A manifest that is open. */
export interface OpenedManifest extends OpenedFile {
  /** What relative URLs in it are resolved against. */
  readonly base: URL
}

/** How conditional requests were answered; absent where an answer says nothing. */
export interface AskedAgain {
  /** Asked for again with its validators, the manifest was sent again, and was the same. */
  readonly ignoresValidators?: boolean
  /** Asked for with a tag that nobody had given, it was said to be unchanged. */
  readonly knowsNothingOfTags?: boolean
}

/** A feed that can be checked, wherever it lies. */
export interface Feed {
  /** As it is shown. */
  readonly name: string
  /**
   * The manifest, or the names of files where there is none: each is then looked through for resources of every type.
   * Throws `FeedFailure`.
   */
  open(): Promise<OpenedManifest | { readonly names: readonly string[] }>
  /**
   * A file that the manifest lists, by its absolute URL, or one of the names. Undefined if it is not in the folder.
   * Throws `FeedFailure`.
   */
  openFile(nameOrUrl: string): Promise<OpenedFile | undefined>
  /** What the publisher makes of conditional requests for the manifest, of which this was the text; of a folder, nothing. */
  askAgain(text: string): Promise<AskedAgain>
  close(): void
}
