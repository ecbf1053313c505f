import type { ImportReport } from '../../../src/shared/contract/imports.ts'
import { ApiError, apiError, operationUrl, parseJson, type UrlOptions } from './client.ts'

const OPERATION = 'POST /api/operator/sources/:slug/upload'

type Upload = UrlOptions<typeof OPERATION> & {
  readonly file: Blob
  /** Called with the uploaded share, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Uploads the file of a source. Throws `ApiError`, or an `AbortError`. */
export function uploadFile({ file, onProgress, signal, ...url }: Upload): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    // Unlike fetch, XMLHttpRequest reports upload progress.
    const request = new XMLHttpRequest()
    request.open('POST', operationUrl(OPERATION, url))
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1)
    request.onload = () => {
      const result = parseJson(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(result as ImportReport)
      else reject(apiError(request.status, result ?? tooLarge(request.status)))
    }
    request.onerror = () => reject(new ApiError({ status: 0, code: 'unreachable', message: CONNECTION_LOST }))
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

const CONNECTION_LOST =
  'The connection was lost. The file may be larger than this service or a proxy allows. Check your connection, then try again.'

/** A proxy's 413 has no readable body. */
function tooLarge(status: number): { detail: string } | undefined {
  return status === 413 ? { detail: 'The file is larger than a proxy in front of this service allows.' } : undefined
}
