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
  /** True if the manifest, asked for again with its validators, was sent again; undefined if that says nothing. */
  ignoresValidators(): Promise<boolean | undefined>
  close(): void
}
