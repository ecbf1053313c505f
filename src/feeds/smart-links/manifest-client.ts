import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import type { Validators } from '../http/response.ts'
import type { Manifest } from './manifest.ts'
import { parseManifest } from './manifest.ts'
import type { ManifestPage } from './pages.ts'

const MANIFEST_BYTES_MAX = 2 ** 24

/** A page of a manifest with what its next request needs. */
export interface ReadPage extends ManifestPage {
  /** As requested, without the parameters of the source. */
  readonly url: string
  readonly text: string
  readonly validators: Validators
  readonly maxAgeMs?: number
}

/** A response without a new page: only `Cache-Control` is new. */
export interface SamePage {
  readonly maxAgeMs?: number
}

/** Requests manifests of one publisher. */
export class ManifestClient {
  readonly #client: PublisherClient
  readonly #strict: boolean

  constructor(client: PublisherClient, strict: boolean) {
    this.#client = client
    this.#strict = strict
  }

  /** Throws `FeedFailure`. */
  async read(url: URL): Promise<ReadPage> {
    return this.#pageOf(url, await this.#get(url))
  }

  /** The page unless its publisher reports with 304 that it has not changed. */
  async readChanged(url: URL, validators: Validators): Promise<ReadPage | SamePage> {
    const response = await this.#get(url, validators)
    if (response.notModified) return maxAgeOf(response)
    return this.#pageOf(url, response)
  }

  /** The text of a manifest; undefined for a 304. */
  async text(url: URL, validators: Validators): Promise<string | undefined> {
    const response = await this.#get(url, validators)
    return response.notModified ? undefined : (await buffer(response.body)).toString()
  }

  #get(url: URL, validators?: Validators): Promise<FileResponse> {
    return this.#client.get(url, { accept: 'application/json', validators, bodyBytesMax: MANIFEST_BYTES_MAX })
  }

  async #pageOf(url: URL, response: FileResponse): Promise<ReadPage> {
    const text = (await buffer(response.body)).toString()
    const manifest = this.#plain(parseManifest(text, response.url, this.#strict))
    const { validators } = response
    return { url: url.href, manifest, text, bytes: text.length, validators, ...maxAgeOf(response) }
  }

  /** Without the parameters of the source, which a publisher may repeat in links. */
  #plain(manifest: Manifest): Manifest {
    const plain = (url: string) => this.#client.plainUrl(new URL(url)).href
    const { next } = manifest
    return {
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, url: plain(file.url) })),
      deleted: manifest.deleted.map(plain),
      outcomes: manifest.outcomes.map(plain),
      ...(next !== undefined && { next: next.startsWith('#') ? next : plain(next) }),
    }
  }
}

/** Identifies what a page lists, besides its `next`. */
export function listingOf({ files, deleted }: Manifest): string {
  return hash('sha256', JSON.stringify([files.map(({ url, types }) => [url, types]), deleted]))
}

function maxAgeOf({ maxAgeMs }: FileResponse): SamePage {
  return maxAgeMs === undefined ? {} : { maxAgeMs }
}
