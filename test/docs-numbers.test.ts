import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { VARIABLES } from '../src/config/variables.ts'
import { EXPORT_BYTES_MAX, EXPORT_ROWS_MAX } from '../src/http/dashboard-api/export-list.ts'
import { TOP_QUERIES_READ_MAX } from '../src/http/dashboard-api/usage/top-queries.ts'
import { USAGE_ROWS_MAX } from '../src/http/dashboard-api/usage/usage.ts'
import { TARGET_LENGTH_MAX } from '../src/http/dispatcher.ts'
import { GRID_DAYS_MAX } from '../src/http/explore/explore.ts'
import { FAIR_LIMITS } from '../src/http/fair-queue.ts'
import { TEXT_LENGTH_MAX } from '../src/http/mcp/clean-text.ts'
import { BODY_BYTES_MAX } from '../src/http/serialized-http.ts'
import { EXPORT_LIMITS } from '../src/http/v1/export-slots/export-pump.ts'
import { FEED_PAGE_ENTRIES_MAX } from '../src/http/v1/fhir-feed/show-manifest.ts'
import { STREAM_LIMITS } from '../src/http/v1/list-changes/change-streams.ts'
import { CHANGES_PER_PAGE_MAX } from '../src/http/v1/list-changes/list-changes.ts'
import { EXPIRING_MS } from '../src/keys/key.ts'
import { CHECKSUM_LENGTH, KEY_PREFIX, SECRET_LENGTH } from '../src/keys/key-ring.ts'
import { LOGGED_LENGTHS } from '../src/keys/request-ring.ts'
import { ADDRESSES_PER_KEY, LOGGED_PER_DRAIN } from '../src/keys/usage-batch.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/lib/time.ts'
import { ALERT_AFTER_MS } from '../src/notifications/alerts/alert-rules.ts'
import { INVITATION_MS } from '../src/shared/contract/invitations.ts'
import { NETWORKS_MAX } from '../src/shared/contract/keys.ts'
import { EXPLORE_CSV_ROWS_MAX } from '../src/shared/explore-csv.ts'
import { EVENT_IDS_MAX, SUBSCRIPTION_LIMITS } from '../src/shared/subscription-vocabulary.ts'
import { FILTER_TEXT_LENGTH_MAX } from '../src/slot/query-parameter.ts'
import { SLOTS_PER_PAGE_MAX } from '../src/slot/slot-query.ts'
import { KEPT_BYTES_MIN } from '../src/slot-index/snapshots/open-snapshots.ts'
import { MEMBERSHIPS_MAX } from '../src/store/contracts/organizations.ts'
import { ADDRESSES_KEPT_MS } from '../src/store/contracts/request-log.ts'
import {
  REQUESTED_MAX,
  SECRET_OVERLAP_MS,
  SUBSCRIPTION_EDITS_MAX,
  VERIFICATIONS_MAX,
} from '../src/store/contracts/subscriptions.ts'
import { EVENT_BYTES_MAX, EVENT_SLOTS_MAX } from '../src/subscriptions/event-body.ts'
import {
  FAILING_MS_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_JITTER,
  RETRY_PAUSES_MS,
} from '../src/subscriptions/retry-schedule.ts'
import { DELIVERY_MS_MAX, RESPONSE_BYTES_MAX } from '../src/subscriptions/send-event.ts'
import { SEND_LIMITS } from '../src/subscriptions/send-queue.ts'
import { BACK_OFF_MS } from '../src/sync/next-sync.ts'
import { ROOT } from './support/source-files.ts'

/** What a page states, with the numbers of the code. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  audit: [
    `newest ${count(EXPORT_ROWS_MAX)} entries that match the filters, at most ${EXPORT_BYTES_MAX / 1_000_000} MB`,
  ],
  authentication: [
    `It has ${KEY_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH} characters: the prefix \`${KEY_PREFIX}\`, ` +
      `${SECRET_LENGTH} random letters and digits, and a checksum of ${CHECKSUM_LENGTH} characters`,
  ],
  explore: [`per day and state, for up to ${GRID_DAYS_MAX} days`, `At most ${count(EXPLORE_CSV_ROWS_MAX)} slots`],
  export: [
    `| concurrent exports of one key | ${EXPORT_LIMITS.concurrentPerKeyMax} |`,
    `| concurrent exports of one organization | ${EXPORT_LIMITS.concurrentPerOrganizationMax} in each thread that serves \`/v1\` |`,
    `| concurrent exports of all keys | ${EXPORT_LIMITS.concurrentMax} in each thread that serves \`/v1\` |`,
    `| time without reading | ${EXPORT_LIMITS.stalledMsMax / SECOND_MS} seconds,`,
    `| duration of an export | ${EXPORT_LIMITS.totalMsMax / MINUTE_MS} minutes |`,
    `a quarter of the index, or ${KEPT_BYTES_MIN / 2 ** 20} MiB if that is more`,
  ],
  'key-safety': [
    `Enter up to ${NETWORKS_MAX} IPv4 or IPv6 addresses`,
    `was used in the last ${ADDRESSES_KEPT_MS / DAY_MS} days`,
    `has the requests of the last ${VARIABLES.REQUEST_LOG_DAYS.fallback} days`,
    `highlights keys that expire within ${EXPIRING_MS / DAY_MS} days`,
  ],
  mcp: [`Texts are cut to ${TEXT_LENGTH_MAX} characters on one line`],
  mirroring: [
    `it comes after each commit and every ${STREAM_LIMITS.heartbeatMs / SECOND_MS} seconds`,
    `takes nothing for ${STREAM_LIMITS.stalledMsMax / SECOND_MS} seconds is disconnected`,
    `can have ${STREAM_LIMITS.perOrganizationMax} streams open on each serving thread`,
  ],
  organizations: [`it expires after ${INVITATION_MS / DAY_MS} days, when you revoke it, or when`],
  '../operating-sources': [
    `After a failure: ${BACK_OFF_MS.slice(0, -1)
      .map((ms) => ms / MINUTE_MS)
      .join(', ')}, then every ` + `${Number(BACK_OFF_MS.at(-1)) / MINUTE_MS} minutes`,
  ],
  '../alerts': Object.entries(ALERT_AFTER_MS).map(
    ([health, afterMs]) => `| \`${health}\` | ${afterMs / MINUTE_MS} minutes |`,
  ),
  limits: [
    `a key may have [${FAIR_LIMITS.waitingPerKeyMax} of them waiting]`,
    `| slots on a page | ${SLOTS_PER_PAGE_MAX} |`,
    `| changes on a page | ${count(CHANGES_PER_PAGE_MAX)} |`,
    `| streams of changes of an organization, on each serving thread | ${STREAM_LIMITS.perOrganizationMax} |`,
    `| subscriptions of an organization | ${count(VARIABLES.SUBSCRIPTIONS_MAX.fallback)} |`,
    `| tests, retries and new URLs of a subscription in a minute; one of each event | ${REQUESTED_MAX} |`,
    `| [verifications](webhooks.md#verification) of an organization in a minute | ${VERIFICATIONS_MAX} |`,
    `| changes of the subscriptions of an organization in a minute | ${SUBSCRIPTION_EDITS_MAX} |`,
    `| body of a request | ${BODY_BYTES_MAX / 1024} KiB |`,
    `| filters of a subscription, as a query string | ${count(SUBSCRIPTION_LIMITS.filtersLength)} characters |`,
    `| files on a page of the republished feed | ${FEED_PAGE_ENTRIES_MAX} |`,
    `| length of a filter's text | ${FILTER_TEXT_LENGTH_MAX} characters |`,
    `| length of the request target | ${count(TARGET_LENGTH_MAX)} characters |`,
    `| organizations that one account may belong to | ${MEMBERSHIPS_MAX} |`,
    `| counts of usage in one response | ${count(USAGE_ROWS_MAX)} |`,
    `| changes by one account in an hour | ${VARIABLES.CHANGES_PER_HOUR_MAX.fallback} |`,
  ],
  logs: [
    `at most ${count(EXPORT_ROWS_MAX)} requests and ${EXPORT_BYTES_MAX / 1_000_000} MB`,
    `The last ${VARIABLES.REQUEST_LOG_DAYS.fallback} days and at most ${count(VARIABLES.REQUEST_LOG_ENTRIES_MAX.fallback)} requests`,
    `The first ${LOGGED_LENGTHS.target} characters of a request target, ${LOGGED_LENGTHS.userAgent} of a user agent and ` +
      `${LOGGED_LENGTHS.message} of an error message`,
    `the log takes ${LOGGED_PER_DRAIN} requests in half a second`,
    `in the last ${ADDRESSES_KEPT_MS / DAY_MS} days, and when`,
    `the ${ADDRESSES_PER_KEY} addresses seen last`,
    `the newest ${count(TOP_QUERIES_READ_MAX)} requests of its period`,
  ],
  webhooks: [
    `${SUBSCRIPTION_LIMITS.minIntervalSeconds.min} to ${count(SUBSCRIPTION_LIMITS.minIntervalSeconds.max)}, by default ` +
      `${SUBSCRIPTION_LIMITS.minIntervalSeconds.default}.`,
    `the first ${EVENT_SLOTS_MAX} of them`,
    `Above ${count(EVENT_IDS_MAX)} slots`,
    `An event has at most ${EVENT_BYTES_MAX / 1024} KiB`,
    `For ${SECRET_OVERLAP_MS / HOUR_MS} hours requests are signed with both secrets`,
    `Respond with 2xx within ${DELIVERY_MS_MAX / SECOND_MS} seconds`,
    `of the response only the first ${RESPONSE_BYTES_MAX / 1024} kB are read`,
    `repeated after ${spans(RETRY_PAUSES_MS)}, then every ${RETRY_AFTER_MS_MAX / HOUR_MS} hours, with ${RETRY_JITTER * 100}% jitter, ` +
      `for ${['', 'one day', 'two days', 'three days'][FAILING_MS_MAX / DAY_MS]}.`,
    `up to ${RETRY_AFTER_MS_MAX / HOUR_MS} hours`,
    `At most ${SEND_LIMITS.perHostMax} requests are sent to one host at once, and ${SEND_LIMITS.perOrganizationMax} of one organization.`,
  ],
}

for (const [page, statements] of Object.entries(STATEMENTS)) {
  test(`the numbers on the page ${page} are those of the code`, () => {
    const text = readFileSync(join(ROOT, `docs/guide/${page}.md`), 'utf8').replace(/\s+/g, ' ')
    assert.deepEqual(
      statements.filter((statement) => !text.includes(statement)),
      [],
    )
  })
}

/** "100,000". */
function count(value: number | string): string {
  return Number(value).toLocaleString('en-US')
}

/** "5 s, 2 min and 1 h". */
function spans(all: readonly number[]): string {
  const texts = all.map((ms) => {
    if (ms >= HOUR_MS) return `${ms / HOUR_MS} h`
    return ms >= MINUTE_MS ? `${ms / MINUTE_MS} min` : `${ms / SECOND_MS} s`
  })
  return texts.join(', ').replace(/, ([^,]+)$/, ' and $1')
}
