import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentOf, type SiteFile } from './site-file.ts'

/** A smaller file fits into one packet uncompressed. */
const BYTES_MIN = 1024

/** Brotli level 6 is as fast as gzip and smaller than its best level. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * Compresses text files one after the other, in threads of the libuv pool. Files are served uncompressed until then. Resolves early when
 * aborted.
 */
export async function compressFiles(files: Iterable<SiteFile>, signal: AbortSignal): Promise<void> {
  for (const file of files) {
    const { identity } = file.contents
    if (identity.body.length < BYTES_MIN || !isText(file)) continue
    const br = await promisify(brotliCompress)(identity.body, BROTLI)
    const gzipped = await promisify(gzip)(identity.body)
    if (signal.aborted) return
    if (gzipped.length >= identity.body.length) continue
    file.contents = { identity, br: contentOf(br, '-br'), gzip: contentOf(gzipped, '-gz') }
  }
}

function isText({ headers }: SiteFile): boolean {
  return /^text\/|json|svg/.test(headers['content-type'])
}
