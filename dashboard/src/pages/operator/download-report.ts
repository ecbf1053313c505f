import type { CheckReport } from '../../../../src/validator/report.ts'

/** Hands the report over as a file: as a page to be read or sent to the publisher, or as JSON. */
export async function downloadReport(report: CheckReport, kind: 'html' | 'json'): Promise<void> {
  const text = kind === 'json' ? JSON.stringify(report, undefined, 2) : await pageOf(report)
  const type = kind === 'json' ? 'application/json' : 'text/html'
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = `check-${new URL(report.feed).hostname}.${kind}`
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

async function pageOf(report: CheckReport): Promise<string> {
  const { formatHtmlReport } = await import('../../../../src/validator/html-report.ts')
  return formatHtmlReport(report)
}
