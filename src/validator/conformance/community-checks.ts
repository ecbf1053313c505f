import { statementsOf } from './statement.ts'

/** The checks of a Slot Directory by the guide's community. */
export const COMMUNITY_CHECKS = statementsOf(
  'community',
  (
    [
      {
        clause: 'Manifest',
        text: 'The manifest answers 200 and is JSON.',
        rules: ['manifest-unreadable', 'manifest-page', 'http-manifest-type'],
        needs: ['manifest', 'http'],
      },
      {
        clause: 'Manifest',
        text: 'The manifest and its files need no authentication.',
        rules: ['directory-anonymous', 'manifest-access-token'],
        needs: ['manifest', 'probes'],
      },
      {
        clause: 'Manifest',
        text: 'A page of any other origin can read the manifest: it has CORS headers.',
        rules: ['directory-cors'],
        needs: ['manifest', 'probes'],
      },
      {
        clause: 'Manifest',
        text: 'The manifest has `transactionTime`, `request`, `requiresAccessToken` (false), `outputFormat`, `output` and `error`.',
        rules: ['directory-manifest-fields', 'manifest-transaction-time', 'manifest-access-token'],
        needs: ['manifest'],
      },
      {
        clause: 'Manifest: output',
        text: 'Each entry of `output` has a `type` and a `url`.',
        rules: ['output-entry', 'output-type', 'output-url', 'output-url-relative'],
        needs: ['manifest'],
      },
      {
        clause: 'Manifest: output',
        text: 'Each entry of `output` has the `count` of its resources.',
        rules: ['directory-output-count', 'output-count'],
        needs: ['manifest', 'files'],
      },
      {
        clause: 'Manifest: output',
        text: 'Each entry of slots names their states in `extension.state`.',
        rules: ['output-state-missing', 'output-state', 'output-state-differs', 'output-extension'],
        needs: ['manifest', 'Slot'],
      },
      {
        clause: 'Files',
        text: 'Every file answers 200 as `application/fhir+ndjson`.',
        rules: ['file-unreadable', 'http-file-type'],
        needs: ['manifest', 'http', 'files'],
      },
      {
        clause: 'Files',
        text: 'Each line of a file is one resource.',
        rules: ['ndjson-json', 'ndjson-pretty-printed', 'ndjson-line-length', 'ndjson-gzip', 'resource-type-missing'],
        needs: ['Slot'],
      },
      {
        clause: 'Resources',
        text: 'Resources have only elements of FHIR, in the forms of FHIR.',
        rules: [
          'r4-unknown',
          'r4-required',
          'r4-array',
          'r4-single',
          'r4-type',
          'r4-form',
          'r4-code',
          'r4-null',
          'r4-empty',
          'r5-shape',
          'extension-value',
        ],
        needs: ['Slot'],
      },
      {
        clause: 'Resources',
        text: '`Slot.schedule` and `Schedule.actor` refer to resources of the publication.',
        rules: [
          'slot-schedule',
          'slot-schedule-dangling',
          'reference-dangling',
          'r4-reference-form',
          'r4-reference-target',
          'folder-no-schedules',
          'folder-no-targets',
        ],
        needs: ['Slot'],
      },
      {
        clause: 'Resources',
        text: 'Each slot has the extension `booking-deep-link` or `booking-phone`.',
        rules: ['directory-slot-booking', 'booking-deep-link-url', 'booking-phone-number'],
        needs: ['Slot'],
      },
      {
        clause: 'Resources',
        text: '`start` and `end` of a slot are instants.',
        rules: ['slot-start', 'slot-end', 'slot-instant-form'],
        needs: ['Slot'],
      },
      {
        clause: 'Resources',
        text: 'The status of a slot is one of FHIR.',
        rules: ['slot-status'],
        needs: ['Slot'],
      },
    ] as const
  ).map((check, at) => ({ id: `directory-${at + 1}`, level: 'CHECK' as const, ...check })),
)
