import { ApiError, apiError, parseJson } from './client.ts'

/** An upload. */
export interface Upload {
  /** Below `/api`. */
  readonly path: string
  readonly file: Blob
  /** Called with the uploaded share, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Uploads a file and returns the parsed response. Throws `ApiError`, or an `AbortError`. */
export function sendFile<T>({ path, file, onProgress, signal }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    // Unlike fetch, XMLHttpRequest reports upload progress.
    const request = new XMLHttpRequest()
    request.open('POST', `/api${path}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1)
    request.onload = () => {
      const answer = parseJson(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(answer as T)
      else reject(apiError(request.status, answer ?? tooLarge(request.status)))
    }
    request.onerror = () => reject(new ApiError({ status: 0, code: 'unreachable', message: CONNECTION_LOST }))
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

const CONNECTION_LOST =
  'The connection was lost. The file may be larger than this service or a proxy allows. Check your connection, then try again.'

/** A proxy's 413 has no body that we can read. */
function tooLarge(status: number): { detail: string } | undefined {
  return status === 413 ? { detail: 'The file is larger than a proxy in front of this service allows.' } : undefined
}
