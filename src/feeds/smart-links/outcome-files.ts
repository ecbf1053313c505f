import { FeedFailure } from '../connector.ts'
import { readIssues } from '../fhir/operation-outcome.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { isBlankLine, readLines } from '../http/lines.ts'
import type { FileResponse } from '../http/publisher-client.ts'
import { InvalidData } from '../rejections.ts'
import { MESSAGES_MAX, type SourceMessages } from '../source-messages.ts'

/** Lines of a file that are read: more messages than are kept. */
const LINES_MAX = 500

interface OutcomeFile {
  readonly url: string
}

/** Adds the issues in files of OperationOutcomes: the newest 20 files are read. They are informational, so nothing about them fails. */
export async function readOutcomes<File extends OutcomeFile>(
  files: readonly File[],
  ask: (file: File) => Promise<FileResponse>,
  messages: SourceMessages,
): Promise<void> {
  for (const file of files.slice(-MESSAGES_MAX)) {
    try {
      await readOutcomeFile((await ask(file)).body, messages)
    } catch (error) {
      if (!(error instanceof FeedFailure)) throw error
      messages.add({ severity: 'warning', text: error.message })
    }
  }
}

async function readOutcomeFile(body: AsyncIterable<Buffer>, messages: SourceMessages): Promise<void> {
  for await (const { first, lines, overlong } of readLines(body)) {
    for (let at = 0; at < lines.length; at++) {
      if (first + at > LINES_MAX) return
      if (!overlong.has(at) && !isBlankLine(lines[at])) addIssues(lines[at].toString(), messages)
    }
  }
}

function addIssues(line: string, messages: SourceMessages): void {
  try {
    for (const issue of readIssues(parseResource(line, false))) messages.add(issue)
  } catch (error) {
    if (!(error instanceof InvalidData)) throw error
  }
}
