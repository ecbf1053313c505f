import { clip, InvalidParameter } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import { parseSlotQuery, type SlotQuery } from '../../../slot/slot-query.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { chooseCoding } from '../../negotiation.ts'
import { reportError } from '../../send-error.ts'
import type { Streamer } from '../operation.ts'
import { CsvExport } from './csv-export.ts'
import { NdjsonExport } from './ndjson-export.ts'
import type { ChunkSource } from './snapshot-chunks.ts'

/** Exports all matching slots as NDJSON: one per line, as in `slots[]`. */
export const exportNdjson: Streamer = exportAs(
  (reader) => new NdjsonExport(reader),
  ['Content-Type', 'application/x-ndjson'],
)

/** Exports all matching slots as CSV. */
export const exportCsv: Streamer = exportAs(
  (reader) => new CsvExport(reader),
  [
    'Content-Type',
    'text/csv; charset=utf-8; header=present',
    'Content-Disposition',
    'attachment; filename="slots.csv"',
  ],
)

function exportAs(encoderOf: (reader: SnapshotReader) => ChunkSource, formatHeaders: readonly string[]): Streamer {
  return ({ search, nowMs, key }, context, api) => {
    const { index, exports } = api
    const query = parseExportQuery(search)
    const isHead = context.request.method === 'HEAD'
    if (!isHead) exports.requireRoom(key)
    const reader = index.open(query, nowMs)
    const coding = chooseCoding(context.request.headers['accept-encoding'])
    const headers = [
      ...formatHeaders,
      'Slots-Revision',
      formatRevision(reader.committed),
      'Slots-Total',
      String(reader.total),
      'Cache-Control',
      'private, no-store',
      'Vary',
      'Accept, Accept-Encoding',
      'X-Request-Id',
      context.requestId,
      ...(coding === undefined ? [] : ['Content-Encoding', coding]),
    ]
    if (!isHead) {
      exports.send({
        context,
        key,
        headers,
        coding,
        chunks: encoderOf(reader),
        onError: (error) => reportError(error, context, api),
      })
      return
    }
    reader.close()
    context.response.writeHead(200, headers).end()
  }
}

const PAGING = ['limit', 'offset', 'cursor']

/** The query of the list without its paging. Throws `InvalidParameter`. */
function parseExportQuery(search: string): SlotQuery {
  const parameters = new URLSearchParams(search)
  for (const name of PAGING) {
    const value = parameters.get(name)
    if (value === null) continue
    const message = `${name} is not allowed in an export, which has all matching slots: got "${clip(value)}".`
    throw new InvalidParameter(name, message)
  }
  return parseSlotQuery(search)
}
