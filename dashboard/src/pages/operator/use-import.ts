import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ImportReport } from '../../../../src/sync/import/import-report.ts'
import { path, search } from '../../api/client.ts'
import { uploadFile } from '../../api/upload.ts'
import { notifySuccess } from '../../components/notify.ts'
import type { ImportValues } from './import-form.ts'

/** What was asked, and what it came to. */
export interface ImportDone {
  readonly values: ImportValues
  readonly report: ImportReport
}

/** Sends files to be tried or taken in. `sent` is how much of one has gone, from 0 to 1, while one is on its way. */
export function useImport() {
  const client = useQueryClient()
  const [sent, setSent] = useState<number>()
  const running = useRef<AbortController>(undefined)
  /** Undefined if it was stopped. Throws `ApiError`. */
  const send = async (
    values: ImportValues,
    { dryRun }: { dryRun: boolean },
  ): Promise<ImportReport | undefined> => {
    const { slug, file, format, timeZone, dateOrder } = values
    if (file === null) return undefined
    running.current = new AbortController()
    setSent(0)
    try {
      const report = await uploadFile<ImportReport>({
        path:
          path`/operator/sources/${slug.trim()}/upload` +
          search({ fileName: nameOf(file), dryRun, format, timeZone: timeZone.trim(), dateOrder }),
        file,
        onProgress: setSent,
        signal: running.current.signal,
      })
      if (!dryRun) await client.invalidateQueries({ queryKey: ['operator', 'sources'] })
      if (report.changes !== undefined) notifySuccess(`${slug} has what is in the file.`)
      return report
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return undefined
      throw error
    } finally {
      setSent(undefined)
    }
  }
  return { send, sent, stop: () => running.current?.abort() }
}

/** One line of at most 255 characters, as the service asks. */
function nameOf({ name }: File): string {
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(-255)
      .toWellFormed() || 'file'
  )
}
