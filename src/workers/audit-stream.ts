import { randomUUID } from 'node:crypto'
import { write } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { endsInLine } from '../lib/line-file.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { defined } from '../lib/optional.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorCode, errorText } from '../lib/text.ts'
import { SECOND_MS } from '../lib/time.ts'
import type { ChainedAuditEntry } from '../store/contracts/audit.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { AUDIT_LOG_FAILED, AUDIT_LOG_RECOVERED } from './audit-events.ts'

interface AuditStreamOptions {
  readonly store: Pick<Store, 'audit' | 'jobLocks'>
  /** `stdout`, or the path of a file. */
  readonly target: string
  /** Older entries are deleted after they were streamed; absent: they are kept. */
  readonly entriesMax?: number | undefined
  readonly onEvent: (event: LogEvent) => void
  /** Replaces writing to standard output. */
  readonly print?: (lines: string) => Promise<void>
}

/** An entry reaches the stream about this long after its transaction. */
const EVERY_MS = SECOND_MS

/** Only one node streams; another takes over if that one ends. */
const JOB = 'audit log'
const JOB_MS = 30 * SECOND_MS

const ENTRIES_PER_WRITE = 500

/**
 * Streams every entry of all audit logs as one JSON line, oldest first, on one node of the cluster.
 *
 *     read entries after the cursor  ->  write and flush the lines  ->  move the cursor
 *
 * The cursor is in the store. A process that is killed between the last two steps repeats at most `ENTRIES_PER_WRITE` lines;
 * readers recognize them by `id`. A failed write moves nothing: it is reported once and retried every second. It may have cut off a line,
 * which the next write ends.
 */
export function openAuditStream(options: AuditStreamOptions): Periodic {
  const owner = randomUUID()
  let isFailing = false
  return new Periodic(
    async (signal) => {
      const written = await streamAudit(options, owner, signal)
      if (written > 0 && options.entriesMax !== undefined) await options.store.audit.deleteStreamed(options.entriesMax)
      if (!isFailing || written === 0) return
      isFailing = false
      options.onEvent({ level: 'info', message: AUDIT_LOG_RECOVERED, fields: { target: options.target } })
    },
    {
      everyMs: EVERY_MS,
      onError(error) {
        // The threads that wait for the store report it.
        if (error instanceof StoreUnavailable || isFailing) return
        isFailing = true
        const fields = { target: options.target, error: errorText(error) }
        options.onEvent({ level: 'error', message: AUDIT_LOG_FAILED, fields })
      },
    },
  )
}

/** Writes all new entries, unless another node does. Returns their number. */
export async function streamAudit(
  { store, target, print = printLines }: AuditStreamOptions,
  owner: string,
  signal?: AbortSignal,
): Promise<number> {
  for (let written = 0; ; ) {
    let cursor = await store.audit.streamed()
    // Reading costs nothing while there is nothing to write; taking the lock is a write.
    if ((await store.audit.after(cursor, 1)).length === 0) return written
    if (!(await store.jobLocks.acquire(JOB, owner, JOB_MS))) return written
    cursor = await store.audit.streamed()
    const entries = await store.audit.after(cursor, ENTRIES_PER_WRITE)
    const last = entries.at(-1)
    if (last === undefined) return written
    const lines = entries.map((entry) => `${JSON.stringify(auditLine(entry))}\n`).join('')
    await (target === 'stdout' ? print(lines) : appendLines(target, lines))
    await store.audit.putStreamed(last.id)
    written += entries.length
    if (signal?.aborted) return written
  }
}

/** The fields of a line. docs/guide/audit.md documents each. */
function auditLine({ organizationId, kind, actor, subject, detail, ...entry }: ChainedAuditEntry) {
  const { name, userId, address, requestId } = actor
  return {
    type: 'audit',
    id: entry.id,
    time: new Date(entry.atMs).toISOString(),
    ...defined({ organization: organizationId }),
    kind,
    actor: name,
    ...defined({ userId, address, requestId, subject }),
    detail,
    previousHash: entry.previousHash,
    hash: entry.hash,
  }
}

/** Opens the file for each write, so that a rotated file is never written to again. Only its owner may read it. */
async function appendLines(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    await file.appendFile(endsInLine(file.fd) ? lines : `\n${lines}`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

const STDOUT = 1
const BUSY_MS = 100
/** The last write to standard output failed within a line. */
let isLineCut = false

/** Not by `process.stdout`: a failed write of a thread would end the process. */
async function printLines(lines: string): Promise<void> {
  const bytes = Buffer.from(isLineCut ? `\n${lines}` : lines)
  for (let at = 0; at < bytes.length; isLineCut = at < bytes.length) at += await writeToStdout(bytes.subarray(at))
}

/** Returns the number of bytes written: 0 while the reader of a pipe is behind. */
async function writeToStdout(bytes: Uint8Array): Promise<number> {
  try {
    return (await promisify(write)(STDOUT, bytes)).bytesWritten
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error
    await sleep(BUSY_MS)
    return 0
  }
}
