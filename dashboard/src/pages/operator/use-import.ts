import { useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportReport } from '../../../../src/shared/contract/imports.ts'
import { uploadFile } from '../../api/upload.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import type { ImportValues } from './import-form.ts'

/** The form values of an import and its report. */
export interface ImportDone {
  readonly values: ImportValues
  readonly report: ImportReport
}

/** Uploads a file for a dry run or an import. `sent` is the uploaded share from 0 to 1, undefined when idle. */
export function useImport() {
  const client = useQueryClient()
  const [sent, setSent] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const isShown = useIsShown()
  // The browser asks before a reload, which would end the upload.
  useWindowEvent('beforeunload', (event) => sent !== undefined && event.preventDefault())
  /** Resolves with undefined if stopped. Throws `ApiError`. */
  const send = async (values: ImportValues, { dryRun }: { dryRun: boolean }): Promise<ImportReport | undefined> => {
    const { slug, file, format, timeZone, dateOrder } = values
    if (file === null) return undefined
    running.current = new AbortController()
    setSent(0)
    try {
      const report = await uploadFile({
        params: { slug: slug.trim() },
        query: { fileName: nameOf(file), dryRun, format, timeZone: timeZone.trim(), dateOrder },
        file,
        onProgress: setSent,
        signal: running.current.signal,
      })
      if (!dryRun) await client.invalidateQueries({ queryKey: ['operator', 'sources'] })
      if (report.changes !== undefined) notifySuccess(`Imported the file into ${slug}.`)
      return report
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return undefined
      // No form is left to show it.
      if (!isShown.current) notifyError(error)
      throw error
    } finally {
      setSent(undefined)
    }
  }
  return { send, sent, stop: () => running.current?.abort() }
}

/** Whether the page has not been left. */
function useIsShown() {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

/** One line of at most 255 characters, as the API requires. */
function nameOf({ name }: File): string {
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(-255)
      .toWellFormed() || 'file'
  )
}
