import { z } from 'zod'
import { SERVER_KINDS } from '../source-vocabulary.ts'

const NAMED_VALUES = z.record(z.string(), z.string()).readonly()

/** The request options of a source: values that may be secrets are masked. */
export const SOURCE_OPTIONS = z.strictObject({
  headers: NAMED_VALUES.exactOptional(),
  query: NAMED_VALUES.exactOptional(),
  daysAhead: z.number().exactOptional(),
  server: z.enum(SERVER_KINDS).exactOptional(),
  serveTestData: z.boolean().exactOptional(),
  rejectedPercentMax: z.number().exactOptional(),
  authorization: z
    .strictObject({
      kind: z.enum(['client-credentials', 'backend-services']),
      tokenUrl: z.string(),
      clientId: z.string(),
      clientSecret: z.string().exactOptional(),
      privateKey: z.string().exactOptional(),
      scope: z.string().exactOptional(),
    })
    .exactOptional(),
})
