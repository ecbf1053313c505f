import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentOf, type SiteFile } from './site-file.ts'

/** Below this, a file fits into one packet anyway. */
const BYTES_MIN = 1024

/** Level 6 of brotli is as fast as gzip and smaller than its best. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * Compresses what is worth it, one file after the other, on threads that answer nobody. Until it is done, files are shown
 * plain. Resolves early when aborted.
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
