import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printOperations, printSchemas } from './print-types.ts'

test('prints schemas with their descriptions, formats and optional properties', () => {
  const slot = {
    type: 'object',
    properties: {
      start: { type: 'string', format: 'date-time', description: 'Start.' },
      'busy-unavailable': { type: 'integer', minimum: 0 },
      modalities: { type: 'array', items: { type: 'string', enum: ['in-person', 'virtual'] } },
      change: { const: 'removed' },
      location: { $ref: '#/components/schemas/Location' },
      times: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['start', 'change'],
  }
  const printed = printSchemas({ Slot: slot, Either: { oneOf: [slot.properties.location, {}] } })
  assert.equal(
    printed,
    `export interface components {
    schemas: {
        Slot: {
            /**
             * Format: date-time
             * @description Start.
             */
            start: string;
            "busy-unavailable"?: number;
            modalities?: ("in-person" | "virtual")[];
            /** @constant */
            change: "removed";
            location?: components["schemas"]["Location"];
            times?: Record<string, string>;
        };
        Either: components["schemas"]["Location"] | unknown;
    };
}
`,
  )
})

test('prints parameters by place with their examples', () => {
  const printed = printOperations({
    listSlots: [
      { name: 'state', in: 'query', example: ['MA'], schema: { type: 'array', items: { type: 'string' } } },
      { name: 'limit', in: 'query', description: 'Maximum.', schema: { type: 'integer' } },
    ],
    showSlot: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  })
  assert.equal(
    printed,
    `export interface operations {
    listSlots: {
        parameters: {
            query?: {
                /**
                 * @example [
                 *       "MA"
                 *     ]
                 */
                state?: string[];
                /** @description Maximum. */
                limit?: number;
            };
            path?: never;
        };
    };
    showSlot: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
    };
}
`,
  )
})

test('throws for keywords, types and references it does not know', () => {
  assert.throws(() => printSchemas({ Slot: { type: 'string', not: {} } as object }), /unknown keyword "not"/)
  assert.throws(() => printSchemas({ Slot: { type: 'null' } }), /unknown schema type "null"/)
  assert.throws(() => printSchemas({ Slot: { $ref: '#/components/responses/Slot' } }), /unknown reference/)
})
