import { ApiError } from './client.ts'

/** How a file is sent. */
export interface Upload {
  /** Below `/api`. */
  readonly path: string
  readonly file: Blob
  /** From 0 to 1: how much of it has gone. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Sends a file, and returns what is answered when it was read. Throws `ApiError`, or an `AbortError`. */
export function uploadFile<T>({ path, file, onProgress, signal }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    // Of what browsers have, it alone tells how much has gone.
    const request = new XMLHttpRequest()
    request.open('POST', `/api${path}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1)
    request.onload = () => {
      const answer = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(answer as T)
      else reject(refusal(request.status, answer))
    }
    request.onerror = () => reject(refusal(0, { message: BROKEN_OFF }))
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

const BROKEN_OFF =
  'The connection broke off. The file may be larger than this service, or a proxy before it, takes; else check your connection, and try again.'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(status: number, answer: unknown): ApiError {
  const body = (answer ?? {}) as { error?: string; message?: string; field?: string }
  const message =
    body.message ??
    (status === 413
      ? 'The file is larger than a proxy before this service takes.'
      : `The service refused this (${status}).`)
  return new ApiError({ status, error: body.error ?? `http-${status}`, message, field: body.field })
}
