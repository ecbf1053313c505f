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

/** An open manifest, or a page of it. */
export interface OpenedManifest extends OpenedFile {
  /** The base of relative URLs. */
  readonly base: URL
  /** Tests conditional requests for it; its text is passed for comparison. Absent for a local file. */
  testConditionalRequests?(text: string): Promise<ConditionalResponses>
}

/** The outcome of conditional requests; properties are absent if unknown. */
export interface ConditionalResponses {
  /** A request with the current validators returned the unchanged manifest instead of 304. */
  readonly ignoresValidators?: boolean
  /** A request with an unknown entity tag returned 304. */
  readonly matchesUnknownTags?: boolean
}

/** The result of an additional request. */
export interface Probe {
  /**
   * `anonymous`: without credentials; `cors`: by a page of another origin; `accept`: without an `Accept` header; `since`: with
   * the parameter `_since`.
   */
  readonly kind: 'anonymous' | 'cors' | 'accept' | 'since'
  readonly role: 'manifest' | 'file'
  readonly name: string
  /** The other origin. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Why the request failed. */
  readonly failure?: string
}

/** A feed that can be checked. */
export interface Feed {
  /** Shown in reports. */
  readonly name: string
  /** The manifest, or without one the file names: each file may contain resources of every type. Throws `FeedFailure`. */
  open(): Promise<OpenedManifest | { readonly names: readonly string[] }>
  /** A further page of the manifest by its absolute URL; undefined if the folder lacks it. Throws `FeedFailure`. */
  openPage(url: URL): Promise<OpenedManifest | undefined>
  /** A listed file by its absolute URL, or by its name; undefined if the folder lacks it. Throws `FeedFailure`. */
  openFile(nameOrUrl: string): Promise<OpenedFile | undefined>
  /** Requests the manifest and these files in other ways than a sync. Absent for local files. */
  probe?(files: readonly string[]): Promise<Probe[]>
  close(): void
}
