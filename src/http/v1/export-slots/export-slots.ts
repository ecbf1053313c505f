import { formatRevision } from '../../../slot/revision.ts'
import type { SnapshotReader } from '../../../slot-index/snapshot-reader.ts'
import { chooseCoding } from '../../negotiation/content-coding.ts'
import type { Stream } from '../operation.ts'
import type { Pieces } from './chunks.ts'
import { parseExportQuery } from './parse-export-query.ts'
import { tellFault } from './report-error.ts'
import { SlotLines } from './slot-lines.ts'
import { SlotTable } from './slot-table.ts'

/** All slots that match, as NDJSON: one a line, as in `slots[]`. */
export const exportLines: Stream = exportAs(
  (cut) => new SlotLines(cut),
  ['Content-Type', 'application/x-ndjson'],
)

/** All slots that match, as CSV. */
export const exportTable: Stream = exportAs(
  (cut) => new SlotTable(cut),
  [
    'Content-Type',
    'text/csv; charset=utf-8; header=present',
    'Content-Disposition',
    'attachment; filename="slots.csv"',
  ],
)

function exportAs(piecesOf: (cut: SnapshotReader) => Pieces, ofForm: readonly string[]): Stream {
  return ({ search, nowMs, key }, exchange, api) => {
    const { index, exports } = api
    const query = parseExportQuery(search)
    const isHead = exchange.request.method === 'HEAD'
    if (!isHead) exports.requireRoom(key)
    const cut = index.open(query, nowMs)
    const coding = chooseCoding(exchange.request.headers['accept-encoding'])
    const headers = [
      ...ofForm,
      'Slots-Revision',
      formatRevision(cut.committed),
      'Slots-Total',
      String(cut.total),
      'Cache-Control',
      'private, no-store',
      'Vary',
      'Accept, Accept-Encoding',
      'X-Request-Id',
      exchange.requestId,
      ...(coding === undefined ? [] : ['Content-Encoding', coding]),
    ]
    if (!isHead) {
      exports.send({
        exchange,
        key,
        headers,
        coding,
        pieces: piecesOf(cut),
        onFault: tellFault(exchange, api),
      })
      return
    }
    cut.close()
    exchange.response.writeHead(200, headers).end()
  }
}
