import type { IncomingHttpHeaders } from 'node:http'

/** An open file of a feed. */
export interface OpenedFile {
  /** URL or path, as shown in reports. */
  readonly name: string
  /** The HTTP exchange; absent for a local file. */
  readonly http?: {
    readonly requested: URL
    readonly url: URL
    readonly headers: IncomingHttpHeaders
  }
  /** The decoded content, readable once. Throws `FeedFailure` if it cannot be read completely. */
  readonly body: AsyncIterable<Buffer>
}

/** An open manifest. */
export interface OpenedManifest extends OpenedFile {
  /** The base of relative URLs. */
  readonly base: URL
}

/** The outcome of conditional requests; properties are absent if unknown. */
export interface ConditionalResponses {
  /** A request with the current validators returned the unchanged manifest instead of 304. */
  readonly ignoresValidators?: boolean
  /** A request with an unknown entity tag returned 304. */
  readonly matchesUnknownTags?: boolean
}

/** A feed that can be checked. */
export interface Feed {
  /** Shown in reports. */
  readonly name: string
  /** The manifest, or without one the file names: each file may contain resources of every type. Throws `FeedFailure`. */
  open(): Promise<OpenedManifest | { readonly names: readonly string[] }>
  /** A listed file by its absolute URL, or by its name; undefined if the folder lacks it. Throws `FeedFailure`. */
  openFile(nameOrUrl: string): Promise<OpenedFile | undefined>
  /** Tests conditional requests for the manifest, whose text is passed for comparison; empty for a folder. */
  testConditionalRequests(text: string): Promise<ConditionalResponses>
  close(): void
}
