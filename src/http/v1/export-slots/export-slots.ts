// Hot path
import { clip, InvalidParameter } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import { parseSlotQuery, type SlotQuery } from '../../../slot/slot-query.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshots/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshots/snapshot-reader.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { runFairly } from '../../fair-queue.ts'
import { readerOf } from '../../key-networks.ts'
import { chooseCoding } from '../../negotiation.ts'
import { reportError } from '../../send-error.ts'
import type { Streamer } from '../operation.ts'
import { CsvExport } from './csv-export.ts'
import type { ExportCaller } from './export-pump.ts'
import { type ChunkSource, SnapshotEncoder } from './snapshot-chunks.ts'

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
  return ({ search, key }, context, api) => {
    const query = parseExportQuery(search)
    requireRoom(context, key, api)
    const steps = api.index.openInSteps(query, api.now)
    runFairly(context, api, { caller: key, steps }, (reader) => {
      try {
        // Others may have begun meanwhile.
        requireRoom(context, key, api)
      } catch (error) {
        reader.close()
        throw error
      }
      api.exports.send({
        context,
        key: readerOf(key, context.request, api),
        headers: [...formatHeaders, ...headersOf(reader), 'X-Request-Id', context.requestId],
        coding: chooseCoding(context.request.headers['accept-encoding']),
        chunks: encoderOf(reader),
        onError: (error) => reportError(error, context, api),
      })
    })
  }
}

/** Throws `Problem('too-many-exports')`. */
export function requireRoom(
  { request }: RequestContext,
  key: ExportCaller,
  { exports }: Pick<ApiContext, 'exports'>,
): void {
  if (request.method !== 'HEAD') exports.requireRoom(key)
}

function headersOf({ committed, total }: SnapshotReader): string[] {
  return [
    'Slots-Revision',
    formatRevision(committed),
    'Slots-Total',
    String(total),
    'Cache-Control',
    'private, no-store',
    'Vary',
    'Accept, Accept-Encoding',
  ]
}

const PAGING = ['limit', 'offset', 'cursor']

/** The query of the list without its paging. Throws `InvalidParameter`. */
export function parseExportQuery(search: string): SlotQuery {
  const parameters = new URLSearchParams(search)
  for (const name of PAGING) {
    const value = parameters.get(name)
    if (value === null) continue
    const message = `${name} is not allowed in an export, which has all matching slots: got "${clip(value)}".`
    throw new InvalidParameter(name, message)
  }
  return parseSlotQuery(search)
}

/** About 100 kB, and a tenth of a millisecond. */
const ROWS_MAX = 256

/** Slots as NDJSON: each as in `slots[]`, one per line. */
class NdjsonExport extends SnapshotEncoder {
  constructor(reader: SnapshotReader) {
    super(reader, ROWS_MAX)
  }

  protected override encode({ json, byteLength }: SnapshotChunk): Buffer {
    return json.subarray(0, byteLength)
  }
}
